import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A search with or without pages, whose items are entries.
protocol EntrySearch: Screen {
  init(
    debounce: Duration, hint: @escaping @Sendable (String) -> String?,
    load: @escaping @Sendable (String, PageKey?) async throws -> Page<Entry>)
  static func term(_ text: String) -> Event
  static var submit: Event { get }
  static var retry: Event { get }
  static func state(text: String) -> State
  static func view(_ state: State) -> SearchView
}

/// What both searches have in their states.
struct SearchView {
  let text, query: String
  let hint, term, shownTerm: String?
  /// Without the kind of a list's load.
  let status: String
  let items: [Entry]
  let placeholder: ListPlaceholder?
}

extension Search: EntrySearch where Item == Entry {
  init(
    debounce: Duration, hint: @escaping @Sendable (String) -> String?,
    load: @escaping @Sendable (String, PageKey?) async throws -> Page<Entry>
  ) {
    self.init(debounce: debounce, hint: hint) { try await load($0, nil).items }
  }

  static func term(_ text: String) -> Event { Event.term(text) }
  static var submit: Event { Event.submit }
  static var retry: Event { Event.retry }
  static func state(text: String) -> State { State(text: text) }

  static func view(_ state: State) -> SearchView {
    let status =
      switch state.results {
      case .idle: "idle"
      case .loading: "loading"
      case .content: "content"
      case .empty: "empty"
      case .failed: "failed"
      }
    return SearchView(
      text: state.text, query: state.query, hint: state.hint, term: state.term,
      shownTerm: state.shownTerm, status: status, items: state.items,
      placeholder: state.placeholder)
  }
}

extension PagedSearch: EntrySearch where Item == Entry {
  init(
    debounce: Duration, hint: @escaping @Sendable (String) -> String?,
    load: @escaping @Sendable (String, PageKey?) async throws -> Page<Entry>
  ) {
    self.init(debounce: debounce, hint: hint, find: load)
  }

  static func term(_ text: String) -> Event { Event.term(text) }
  static var submit: Event { Event.submit() }
  static var retry: Event { Event.list(.retry) }
  static func state(text: String) -> State { State(text: text) }

  static func view(_ state: State) -> SearchView {
    let word = state.list.failure == nil ? state.list.status.text.prefix { $0 != " " } : "failed"
    return SearchView(
      text: state.text, query: state.query, hint: state.hint, term: state.term,
      shownTerm: state.shownTerm, status: word == "ended" ? "content" : String(word),
      items: state.list.items, placeholder: state.placeholder)
  }
}

/// A search, and the words of its scenarios.
///
/// - Events: `type a`, in which `␣`, `⇥` and `↵` are white space; `search a`, which waits until the search begins; `submit`,
///   `submit 3` from a page; `retry`; `list more`, and other events of a list; `suspend`, `resume`, `stop`; `dismiss` an alert.
/// - Time: `wait 500` milliseconds.
/// - Responses to the newest request: a `page`; `fail`, `cancel` with an error; `busy 500`, to retry after milliseconds. `late page` responds to the oldest request.
/// - Expectations: what the search `shows`, its status (`is`), and its properties; the requests that it `loads`, and those
///   `requested` so far, as `a/2` for the second page; a state of the `only` text; `unchanged` states since a `mark`.
final class SearchSteps<S: EntrySearch> {
  let pages = PendingResponses<String, Page<Entry>>()
  let probe: ScreenProbe<S>
  private var mark = 0

  init(_: S.Type, debounce: Duration = .milliseconds(500)) {
    let pages = pages
    probe = ScreenProbe(
      S(debounce: debounce, hint: { $0.contains("?") ? "Type-more" : nil }) { text, key in
        try await pages.next(for: key.map { "\(text)/\(Optional($0).text)" } ?? text)
      })
  }

  private var view: SearchView { S.view(probe.state) }
  private var list: Feed<Entry>.State? { (probe.state as? PagedSearch<Entry>.State)?.list }

  func perform(_ word: String, _ words: [String]) throws -> String? {
    switch word {
    case "type": probe.send(S.term(Self.text(words)))
    case "search":
      probe.send(S.term(Self.text(words)))
      probe.advance(by: .milliseconds(500))
    case "submit" where words.isEmpty: probe.send(S.submit)
    case "retry": probe.send(S.retry)
    case "submit", "list": try sendPaged(word, words)
    case "stop": probe.runner.stop()
    case "suspend": probe.suspend()
    case "resume": probe.resume()
    case "dismiss": probe.dismiss(1)
    case "wait": probe.advance(by: .milliseconds(try #require(Int(words[0]))))
    case "mark": mark = probe.states.count
    case "late": try respond(words[0], Array(words.dropFirst()), to: 0)
    case "page", "fail", "busy", "cancel": try respond(word, words, to: pages.waiting.count - 1)
    default: return try expectation(word, words)
    }
    return nil
  }

  private static func text(_ words: [String]) -> String {
    String(
      words.joined(separator: " ").map { ["␣": " ", "⇥": "\t", "↵": "\n"][$0] ?? $0 })
  }

  private func sendPaged(_ word: String, _ words: [String]) throws {
    let probe = try #require(probe as? ScreenProbe<PagedSearch<Entry>>)
    let key = words.count > 1 ? PageKey(words[1]) : nil
    switch words[0] {
    case "load": probe.send(.list(.load))
    case "more": probe.send(.list(.more))
    case "refresh": probe.send(.list(.refresh))
    case "retry": probe.send(.list(.retry))
    case "appeared": probe.send(.list(.appeared(try Entry.all(words[1])[0].id)))
    case "restore": probe.send(.list(.restore(at: key)))
    case "sourceChanged": probe.send(.list(.sourceChanged))
    default:
      if word == "list" { throw Scenario.UnknownWord(step: "\(words)") }
      probe.send(.submit(from: PageKey(words[0])))
    }
  }

  private func respond(_ word: String, _ words: [String], to index: Int) throws {
    switch word {
    case "fail": pages.reply(.failure(Broken()), to: index)
    case "busy":
      pages.reply(.failure(Busy(.milliseconds(try Entry.all(words[0])[0].id))), to: index)
    case "cancel": pages.reply(.failure(CancellationError()), to: index)
    default: pages.reply(.success(try Page<Entry>(words: words)), to: index)
    }
    probe.settle()
  }

  private func expectation(_ word: String, _ words: [String]) throws -> String {
    func joined(_ texts: [String]) -> String {
      texts.isEmpty ? "nothing" : texts.joined(separator: " ")
    }
    switch word {
    case "shows":
      let expected = words == ["nothing"] ? "nothing" : try [Entry](words: words).text
      return view.items.text == expected ? words.joined(separator: " ") : view.items.text
    case "is": return view.status
    case "went": return probe.states.map { S.view($0).status }.joined(separator: ", ")
    case "text": return view.text == Self.text(words) ? words.joined(separator: " ") : view.text
    case "query": return view.query
    case "placeholder":
      switch view.placeholder {
      case nil: return "nothing"
      case .initial: return "initial"
      case .loading: return "loading"
      case .hint(let hint): return "hint \(hint)"
      case .empty(let term): return "empty \(term)"
      case .failed(let failure): return failure.textOnly == .broken ? "failed" : "\(failure)"
      }
    case "hint": return view.hint ?? "nothing"
    case "term": return view.term ?? "nothing"
    case "shownTerm": return view.shownTerm ?? "nothing"
    case "only":
      let isOnly = probe.state == S.state(text: Self.text(words))
      return isOnly ? words.joined(separator: " ") : "\(probe.state)"
    case "works": return "\(probe.runner.isWorking)"
    case "sleepers": return "\(probe.clock.sleepers)"
    case "alerts": return "\(probe.activity.alerts.count)"
    case "left": return probe.activity.alerts.first?.secondsLeft.map { "\($0)" } ?? "nothing"
    case "atOnce": return "\(probe.mostRunning)"
    case "loads": return joined(pages.active)
    case "requested": return joined(pages.requested)
    case "unchanged": return probe.states.count == mark ? "" : "\(probe.states.suffix(1))"
    case "status": return list?.status.text ?? "nothing"
    case "start": return list?.start.text ?? "nothing"
    case "total": return list?.total.map { "\($0)" } ?? "nothing"
    case "canLoadMore": return "\(list?.canLoadMore ?? false)"
    default: throw Scenario.UnknownWord(step: "\(word) \(words)")
    }
  }
}
