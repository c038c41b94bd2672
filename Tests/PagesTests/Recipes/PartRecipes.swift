import CurlewScreens
import CurlewTesting
import Testing

/// The recipes of Screens.md about screens made of screens, compiled and run.
@Suite("The recipes about parts", .timeLimit(.minutes(1)))
struct PartRecipes {
  nonisolated struct Failed: Error {}

  // MARK: Two searches

  nonisolated struct Trip: Screen {
    enum Event { case from(Search<String>.Event), to(Search<String>.Event), swap }

    struct State: Equatable {
      var from = Search<String>.State()
      var to = Search<String>.State()
    }

    let places: Search<String>
    let initial = State()

    var parts: [Part<State, Event>] {
      [Part(\.from, places, event: Event.from), Part(\.to, places, event: Event.to)]
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .from(let event): work.scope(\.from) { places.handle(event, &state.from, &$0) }
      case .to(let event): work.scope(\.to) { places.handle(event, &state.to, &$0) }
      case .swap:
        let (from, to) = (state.from.text, state.to.text)
        work.scope(\.from) { places.handle(.term(to), &state.from, &$0) }
        work.scope(\.to) { places.handle(.term(from), &state.to, &$0) }
      }
    }
  }

  @Test func `two searches never meet`() {
    let responses = PendingResponses<String, [String]>()
    let trip = Trip(places: Search { try await responses.next(for: $0) })
    let probe = ScreenProbe(trip)
    probe.send(.from(.term("oslo")))
    probe.send(.to(.term("rome")))
    probe.advance(by: .milliseconds(500))
    #expect(responses.waiting == ["oslo", "rome"])
    responses.reply(.success(["Oslo"]))
    responses.reply(.failure(Failed()))
    probe.settle()
    #expect(probe.state.from.items == ["Oslo"])
    #expect(probe.activity.alerts.map { "\($0.name)" } == ["to.search"])
    probe.send(.swap)
    probe.advance(by: .milliseconds(500))
    #expect(responses.waiting == ["rome", "oslo"])
  }

  // MARK: A sheet

  nonisolated struct Library: Screen {
    enum Event { case open(String), close, sheet(Sheet.Event) }

    struct State: Equatable {
      var sheet: Sheet.State?
    }

    let sheet: Sheet
    let initial = State()
    var parts: [Part<State, Event>] { [Part(presented: \.sheet, sheet, event: Event.sheet)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .open(let title):
        state.sheet = Sheet.State(id: title)
        work.scope(presented: \.sheet, &state) { sheet.handle(.load, &$0, &$1) }
      case .close: state.sheet = nil
      case .sheet(let event):
        work.scope(presented: \.sheet, &state) { sheet.handle(event, &$0, &$1) }
      }
    }
  }

  nonisolated struct Sheet: Screen {
    enum Event { case load }

    struct State: Equatable, Identifiable {
      let id: String
      var text: Loadable<String> = .idle
    }

    let load: @Sendable (String) async throws -> String
    var initial: State { State(id: "") }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      work.latest("load") { [id = state.id] in
        try await load(id)
      } started: {
        $0.text.startLoading()
      } finished: { state, result, _ in
        state.text.finishLoading(with: result)
      }
    }
  }

  @Test func `sheet that is replaced takes its load with it`() {
    let responses = PendingResponses<String, String>()
    let probe = ScreenProbe(Library(sheet: Sheet { try await responses.next(for: $0) }))
    probe.send(.open("a"))
    probe.send(.open("b"))
    #expect(responses.waiting == ["a", "b"])
    responses.reply(.success("the text of a"))
    responses.reply(.success("the text of b"))
    probe.settle()
    #expect(probe.state.sheet == .init(id: "b", text: .content("the text of b")))
    probe.send(.open("c"))
    probe.send(.close)
    responses.reply(.success("the text of c"))
    probe.settle()
    #expect(probe.state == .init())
    #expect(!probe.runner.isWorking)
  }

  // MARK: Rows

  nonisolated struct Album: Screen {
    enum Event { case show([Int]), delete(Photo.State.ID), photo(Photo.State.ID, Photo.Event) }

    struct State: Equatable {
      var photos: [Photo.State] = []
    }

    let photo: Photo
    let delete: @Sendable (Int) async throws -> Void
    let initial = State()
    var parts: [Part<State, Event>] { [Part(each: \.photos, photo)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .show(let ids): state.photos = ids.map { Photo.State(id: $0) }
      case .photo(let id, let event):
        work.scope(each: \.photos, id: id, &state) { photo.handle(event, &$0, &$1) }
      case .delete(let id):
        guard let index = state.photos.firstIndex(where: { $0.id == id }) else { return }
        state.photos.remove(at: index)
        work.write("delete \(id)") {
          try await delete(id)
        } finished: { state, result, _ in
          guard case .failure = result else { return }
          state.photos.insert(Photo.State(id: id), at: min(index, state.photos.count))
        }
      }
    }
  }

  nonisolated struct Photo: Screen {
    enum Event { case appeared }

    struct State: Equatable, Identifiable {
      let id: Int
      var image: Loadable<String> = .idle
    }

    let load: @Sendable (Int) async throws -> String
    var initial: State { State(id: 0) }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      guard state.image.latest == nil else { return }
      work.latest("load") { [id = state.id] in
        try await load(id)
      } started: {
        $0.image.startLoading()
      } finished: { state, result, _ in
        state.image.finishLoading(with: result)
      }
    }
  }

  @Test func `photos load and can be deleted while they do`() {
    let images = PendingResponses<Int, String>()
    let deletions = PendingResponses<Int, Void>()
    let probe = ScreenProbe(
      Album(photo: Photo { try await images.next(for: $0) }) {
        try await deletions.next(for: $0)
      })
    probe.send(.show([1, 2, 3]))
    for id in 1...3 { probe.send(.photo(id, .appeared)) }
    probe.send(.delete(2))
    for image in ["one", "two", "three"] { images.reply(.success(image)) }
    probe.settle()
    #expect(probe.state.photos.map(\.id) == [1, 3])
    #expect(probe.state.photos.map(\.image) == [.content("one"), .content("three")])
    deletions.reply(.failure(Failed()))
    probe.settle()
    #expect(probe.state.photos.map(\.id) == [1, 2, 3])
    probe.send(.photo(2, .appeared))
    images.reply(.success("two"))
    probe.settle()
    #expect(probe.state.photos[1].image == .content("two"))
  }
}
