import CurlewScreens

/// A small copy of `Search` with a defect.
struct FaultySearch: Screen {
  enum Defect: CaseIterable {
    case resultNotChecked, spinnerNotEnded, cancelledWhileLoading, distinctAfterFailure,
      lastTextLost
    case resultsWithoutText
  }

  enum Event { case term(String), submit, cancel }

  struct State: Equatable {
    var text = ""
    var term: String?
    var isWaiting = false
    var results = Loadable<[String]>.idle
  }

  let defect: Defect?
  let find: @Sendable (String) async throws -> [String]
  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .term(""):
      (state.text, state.term, state.results) = ("", nil, .idle)
      if defect != .resultsWithoutText { work.cancel("search") }
    case .term(let text):
      state.text = text
      if defect == .lastTextLost, state.isWaiting { return }
      state.isWaiting = true
      search(text, after: .milliseconds(500), &work)
    case .submit: if !state.text.isEmpty { search(state.text, after: .zero, &work) }
    case .cancel:
      state.text = state.term ?? state.text
      work.cancel("search")
    }
  }

  private func search(_ term: String, after delay: Duration, _ work: inout Work<State>) {
    let (find, defect) = (find, defect)
    work.latest(
      defect == .resultNotChecked ? "search \(term)" : "search", after: delay,
      if: {
        $0.term != term || defect != .distinctAfterFailure && $0.results.failure != nil
      }
    ) {
      try await find(term)
    } started: { state in
      (state.term, state.isWaiting) = (term, false)
      state.results.startLoading()
    } cancelled: { state in
      if defect == .cancelledWhileLoading { return }
      state.term = nil
      state.results.cancelLoading()
    } finished: { state, result, _ in
      if defect == .spinnerNotEnded, case .failure = result { return }
      if defect == .resultsWithoutText { state.results.startLoading() }
      state.results.finishLoading(with: result)
    }
  }
}

/// A small copy of `Feed` with a defect.
struct FaultyFeed: Screen {
  enum Defect: CaseIterable { case pageTwice, pageSkipped, itemsLost, endless }

  enum Event { case more }

  struct Row: Identifiable, Equatable {
    let id: Int
  }

  struct State: Equatable {
    var items: [Row] = []
    var page = 0
    var transfers = 0
    var content = Loadable<Int>.idle
  }

  let defect: Defect?
  let load: @Sendable (Int) async throws -> [Int]
  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    if state.content.isLoading, defect != .pageTwice { return }
    state.transfers += 1
    if defect == .pageSkipped { state.page += 1 }
    let page = defect == .pageSkipped ? state.page : state.page + 1
    state.content.startLoading()
    work.latest(defect == .pageTwice ? "page \(state.transfers)" : "page") { [load] in
      try await load(page)
    } cancelled: {
      $0.content.cancelLoading()
    } finished: { [self] state, result, work in
      state.content.finishLoading(with: result.map(\.count))
      switch result {
      case .success(let ids):
        if !ids.isEmpty { state.page = page }
        state.items += ids.map { Row(id: $0) }
        if ids.isEmpty, defect == .endless { handle(.more, &state, &work) }
      case .failure: if defect == .itemsLost { state.items = [] }
      }
    }
  }
}
