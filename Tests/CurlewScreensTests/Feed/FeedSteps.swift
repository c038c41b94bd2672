import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// A feed whose items writes edit, and the words of its scenarios.
///
/// - Events: those of a feed, as `appeared 6`, `restore 3`, and `restore first 2` for two pages; `suspend`, `resume`.
/// - Responses to the newest request: a `page`; `fail`. `stored` is a page after which the request goes on, until its `end`.
///   `late page` responds to the oldest request.
/// - Edits by writes: `like 2`, `delete 2`, `add 9` or `add 9 at 1`; the writes end by `done like 2`, or `refused like 2`.
/// - Edits of the state: `update 2 text`, `append 2 text`, `insert 9:text`, `remove 2`, which are permanent, or `until name`;
///   then `commit name`, `rollBack name`, or `keep name` as a failed one.
/// - Expectations: what the list `shows`, its status (`is`), and its properties; the keys that it `loads`, and those
///   `requested` so far; `unchanged` states since a `mark`.
final class FeedSteps {
  typealias State = Feed<Entry>.State

  struct Posts: Screen {
    enum Event {
      case list(Feed<Entry>.Event), like(Int), delete(Int), add(Int, at: Int = 0)
      /// A change of the state.
      case plain(@Sendable (inout State) -> Void)
    }

    let writes = PendingResponses<String, Void>()
    let feed: Feed<Entry>
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .list(let event): feed.handle(event, &state, &work)
      case .plain(let change): change(&state)
      case .like(let id):
        write("like \(id)", &work) { $0.update(id, until: $1) { $0.text += "♥" } }
      case .delete(let id): write("delete \(id)", &work) { $0.remove(id, until: $1) }
      case .add(let id, let index):
        write("add \(id)", &work) { $0.insert(Entry(id, "+"), at: index, until: $1) }
      }
    }

    private func write(
      _ name: String, _ work: inout Work<State>,
      _ edit: @escaping @Sendable (inout State, WorkID) -> Void
    ) {
      let id: WorkID = "\(name)"
      work.write(id) { [writes] in
        try await writes.next(for: name)
      } started: { state in
        edit(&state, id)
      } finished: { state, result, _ in
        state.settle(id, result)
      }
    }
  }

  typealias Pages = PendingResponses<PageKey?, Dated<Page<Entry>>?>

  private let pages = Pages()
  private let screen: Posts
  private let isStored: Bool
  private let probe: ScreenProbe<Posts>
  private var sent: PendingWork?
  private var mark = 0

  /// Creates a feed without pages.
  ///
  /// - Parameter isStored: Whether the source has stored pages.
  init(isStored: Bool = false) {
    self.isStored = isStored
    let pages = pages
    screen = Posts(
      feed: isStored
        ? Feed(source: Source(values: { Values(pages, for: $0) }))
        : Feed { try await pages.next(for: $0)?.value ?? Page([]) })
    probe = ScreenProbe(screen)
  }

  private var state: State { probe.state }

  /// Performs a step; returns what the step expects, if anything.
  func perform(_ word: String, _ words: [String]) throws -> String? {
    switch word {
    case "load": send(.load)
    case "more": send(.more)
    case "refresh": send(.refresh)
    case "retry": send(.retry)
    case "clear": send(.clear)
    case "sourceChanged": send(.sourceChanged)
    case "appeared": for entry in try [Entry](words: words) { send(.appeared(entry.id)) }
    case "restore":
      let key = words[0] == "first" ? nil : PageKey(words[0])
      send(.restore(at: key, pageCount: words.count > 1 ? try Entry.all(words[1])[0].id : 1))
    case "suspend": probe.suspend()
    case "resume": probe.resume()
    case "mark": mark = probe.states.count
    case "late": try respond(words[0], Array(words.dropFirst()), to: 0)
    case "page", "stored", "end", "fail": try respond(word, words, to: pages.waiting.count - 1)
    case "like": for entry in try [Entry](words: words) { probe.send(.like(entry.id)) }
    case "delete": for entry in try [Entry](words: words) { probe.send(.delete(entry.id)) }
    case "add":
      let place = words.count > 2 ? try Entry.all(words[2])[0].id : 0
      for entry in try Entry.all(words[0]) { probe.send(.add(entry.id, at: place)) }
    case "done", "refused":
      for entry in try [Entry](words: Array(words.dropFirst())) {
        screen.writes.reply(
          word == "done" ? .success(()) : .failure(Broken()), for: "\(words[0]) \(entry.id)")
        probe.settle()
      }
    default: return try edit(word, words) ?? expectation(word, words)
    }
    return nil
  }

  private func send(_ event: Feed<Entry>.Event) { sent = probe.send(.list(event)) }

  private func respond(_ word: String, _ words: [String], to index: Int) throws {
    switch word {
    case "fail": pages.reply(.failure(Broken()), to: index)
    case "end": pages.reply(.success(nil), to: index)
    default:
      var page = try Page<Entry>(words: words)
      let asOf = isStored ? page.asOf.take() : nil
      pages.reply(.success(Dated(page, asOf: asOf)), to: index)
    }
    probe.settle()
    if isStored, word == "page" { try respond("end", [], to: pages.waiting.count - 1) }
  }

  /// Edits the state; returns `nil` if the word is no edit.
  private func edit(_ word: String, _ words: [String]) throws -> String?? {
    let write = words.firstIndex(of: "until").map { WorkID("\(words[$0 + 1])") }
    let index = words.firstIndex(of: "at").map { Int(words[$0 + 1]) ?? 0 } ?? 0
    let name = WorkID("\(words.first ?? "")")
    func change(_ change: @escaping @Sendable (inout State) -> Void) -> String?? {
      probe.send(.plain(change))
      return .some(nil)
    }
    switch word {
    case "commit": return change { $0.commit(name) }
    case "rollBack": return change { $0.rollBack(name) }
    case "keep":
      return change {
        $0.settle(name, Result<Void, any Error>.failure(Broken()), keepsFailed: true)
      }
    case "remove":
      let ids = try Entry.all(words[0]).map(\.id)
      return change { state in for id in ids { state.remove(id, until: write) } }
    case "update", "append":
      let (id, text) = (try Entry.all(words[0])[0].id, words[1])
      let appends = word == "append"
      return change { $0.update(id, until: write) { $0.text = (appends ? $0.text : "") + text } }
    case "insert":
      let entry = try Entry.all(words[0])[0]
      return change { $0.insert(entry, at: index, until: write) }
    default: return nil
    }
  }

  private func expectation(_ word: String, _ words: [String]) throws -> String {
    func list(_ texts: [String]) -> String {
      texts.isEmpty ? "nothing" : texts.joined(separator: " ")
    }
    switch word {
    case "shows":
      let isRange = words.contains { $0.contains("..") }
      let expected = isRange ? try [Entry](words: words).text : words.joined(separator: " ")
      return state.items.text == expected ? words.joined(separator: " ") : state.items.text
    case "is": return state.status.text
    case "went":
      return probe.states.map(\.status.text).joined(separator: ", ")
    case "total": return state.total.map { "\($0)" } ?? "nothing"
    case "next": return state.next.map { Optional($0).text } ?? "nothing"
    case "start": return state.start.text
    case "pages": return "\(state.pageCount)"
    case "asOf": return state.asOf.map { "\(Int($0.timeIntervalSince1970))" } ?? "nothing"
    case "partial": return "\(state.isPartial)"
    case "skipped": return list(state.skippedEntries)
    case "failed": return list(state.failedEdits.keys.sorted().map { "\($0)" })
    case "canLoadMore": return "\(state.canLoadMore)"
    case "loads": return list(pages.active.map(\.text))
    case "requested": return list(pages.requested.map(\.text))
    case "atOnce": return "\(probe.mostRunning)"
    case "finished": return "\(sent?.isFinished ?? true)"
    case "unchanged": return probe.states.count == mark ? "" : "\(probe.states.suffix(1))"
    default: throw Scenario.UnknownWord(step: "\(word) \(words)")
    }
  }
}
