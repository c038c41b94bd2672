import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// The table "Where your code runs" of the page Screens, row by row, with screens of a `ScreenModel`.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ClosureActorTests {
  /// The places where closures ran: whether each was on the main actor, by its name.
  final class Places: Sendable {
    let found = Mutex<[String: Set<Bool>]>([:])

    func note(_ closure: String) {
      _ = found.withLock { $0[closure, default: []].insert(isOnMainActor()) }
    }

    /// Waits until these closures have run, and returns all places.
    func places(of closures: [String]) async -> Set<Bool> {
      await eventually { found.withLock { found in closures.allSatisfy { found[$0] != nil } } }
      return found.withLock { $0.values.reduce(into: []) { $0.formUnion($1) } }
    }
  }

  struct Row: Identifiable, Codable, Equatable {
    static let places = Mutex<Places?>(nil)
    var id = 1

    init() {}
    init(from decoder: any Decoder) throws { Self.places.withLock { $0 }?.note("init(from:)") }
    func encode(to encoder: any Encoder) throws {
      Self.places.withLock { $0 }?.note("encode(to:)")
      var container = encoder.singleValueContainer()
      try container.encode([id])
    }
  }

  struct Noting: Screen {
    enum Event { case start, cancel, write }
    struct State: Equatable { var count = 0 }

    let places: Places
    let operation: @Sendable (String) async -> Void
    var initial: State { State() }

    func begin(_ state: inout State, _ work: inout Work<State>) { places.note("begin") }
    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      places.note("stateDidChange")
    }
    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      let (places, operation) = (places, operation)
      places.note("handle")
      state.count += 1
      switch event {
      case .cancel: work.cancel("endless")
      case .write:
        work.write("write") {
          await operation("write")
        } finished: { _, _, _ in
          places.note("finished:")
        }
      case .start:
        work.latest("endless") {
          try await Task.sleep(for: .seconds(600))
        } cancelled: { _ in
          places.note("cancelled:")
        } finished: { _, _, _ in
        }
        work.latest("load") {
          await operation("latest")
        } started: { _ in
          places.note("started:")
        } finished: { _, _, _ in
        }
        work.follow("stream") {
          await operation("follow")
          return AsyncStream<Int> {
            $0.yield(1); $0.finish()
          }
        } each: { _, _, _ in
          places.note("each:")
        } ended: { _, _, _ in
          places.note("ended:")
        }
        work.timer("timer", after: .milliseconds(1)) { _, _ in places.note("timer") }
      }
    }
  }

  struct Draft: FormDraft {
    enum Field: CaseIterable { case name }
    let places: Places
    var name = "Ann"
    subscript(field: Field) -> String {
      get { name }
      set { name = newValue }
    }
    func problem(in field: Field) -> String? {
      places.note("problem(in:)")
      return nil
    }
    static func == (one: Self, other: Self) -> Bool { one.name == other.name }
  }

  struct Refused: Error {}

  private let places = Places()

  /// Returns a closure that notes where it runs, with `@concurrent` if that is asked for.
  private func operation(_ isConcurrent: Bool) -> @Sendable (String) async -> Void {
    let places = places
    if isConcurrent { return { @concurrent in places.note($0) } }
    return { places.note($0) }
  }

  private func screens(_ isConcurrent: Bool) async {
    let model = ScreenModel(Noting(places: places, operation: operation(isConcurrent)))
    model.send(.start)
    model.send(.cancel)
    model.send(.write)
    _ = await places.places(of: ["ended:", "timer", "cancelled:", "finished:", "latest", "write"])
  }

  /// Runs the ready-made screens with closures as an app writes them.
  private func readyMade(_ isConcurrent: Bool) async {
    let (places, error) = (places, Refused())
    let hint: @Sendable (String) -> String? = { _ in
      places.note("hint:")
      return nil
    }
    let search =
      isConcurrent
      ? Search<Row>(debounce: .zero, hint: hint) { @concurrent _ in
        places.note("Search")
        return [Row()]
      }
      : Search<Row>(debounce: .zero, hint: hint) { _ in
        places.note("Search")
        return [Row()]
      }
    let paged =
      isConcurrent
      ? PagedSearch<Row>(debounce: .zero) { @concurrent _, _ in
        places.note("PagedSearch")
        return Page([Row()])
      }
      : PagedSearch<Row>(debounce: .zero) { _, _ in
        places.note("PagedSearch")
        return Page([Row()])
      }
    let feed =
      isConcurrent
      ? Feed<Row> { @concurrent _ in
        places.note("Feed")
        return Page([Row()])
      }
      : Feed<Row> { _ in
        places.note("Feed")
        return Page([Row()])
      }
    let known: @Sendable (Int) -> Row? = { _ in
      places.note("known:")
      return nil
    }
    let asOf: @Sendable (Row) -> Date? = { _ in
      places.note("asOf:")
      return nil
    }
    let source =
      isConcurrent
      ? Source<Int, Row>(asOf: asOf) { @concurrent _ in
        places.note("Detail")
        return Row()
      }
      : Source<Int, Row>(asOf: asOf) { _ in
        places.note("Detail")
        return Row()
      }
    let detail = Detail<Int, Row, Row>(known: known, source: source)
    let problems: @Sendable (any Error) -> [Draft.Field: String] = { _ in
      places.note("problems:")
      return [:]
    }
    let form =
      isConcurrent
      ? FormScreen<Draft, Int>(Draft(places: places), problems: problems) { @concurrent _, _ in
        places.note("FormScreen")
        throw error
      }
      : FormScreen<Draft, Int>(Draft(places: places), problems: problems) { _, _ in
        places.note("FormScreen")
        throw error
      }
    await run(search, .term("a"))
    await run(paged, .term("a"))
    await run(feed, .load)
    await run(detail, .show(1))
    await run(form, .submit)
  }

  private func run<S: Screen>(_ screen: S, _ event: S.Event) async {
    let model = ScreenModel(screen)
    await model.send(event).finished()
    withExtendedLifetime(model) {}
  }

  struct Middle: Middleware, RequestObserver {
    let places: Places
    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      places.note("middlewares")
      return try await next(request)
    }
    func observe(_ event: RequestEvent) { places.note("observers") }
  }

  private func client() async throws {
    Row.places.withLock { $0 = places }
    defer { Row.places.withLock { $0 = nil } }
    let stub = StubTransport()
    stub.stub(.post, "/row", with: .json("{}"))
    stub.stub(.get, "/row", with: .json("{}"))
    let client = Client.stubbed(by: stub) {
      $0.middleware = [Middle(places: places)]
      $0.observers = [Middle(places: places)]
    }
    _ = try await client.send(Request<Row>.post("/row", body: .json(Row())))
    let entry = StoreEntry(Request<Row>.get("/row")) { [places] row in
      places.note("transform:")
      return row
    }
    for await row in Store(client).values(of: entry) where row.latest != nil { break }
  }

  /// The table of the page: the closures, where they run, and a way off the main actor.
  private static func table() throws -> [[String]] {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CurlewScreens/CurlewScreens.docc/Screens.md"),
      encoding: .utf8)
    let section = try #require(
      page.split(separator: "\n## ").first { $0.hasPrefix("Where your code runs") })
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
      .dropFirst()
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  /// The closures of a row that are code, without the names of types that have them.
  private static func names(in cell: String) -> [String] {
    cell.matches(of: /`([^`]+)`/).map { String($0.output.1).replacing("work.", with: "") }
  }

  @Test(arguments: [false, true])
  func `each closure runs where the table says`(isConcurrent: Bool) async throws {
    await screens(isConcurrent)
    await readyMade(isConcurrent)
    try await client()
    let found = places.found.withLock { $0 }
    var named: Set<String> = []
    for row in try Self.table() {
      try #require(row.count == 3)
      let isOnMain = row[1] == "the main actor" && !(isConcurrent && row.last == "`@concurrent`")
      #expect(["the main actor", "no actor"].contains(row[1]))
      for name in Self.names(in: row[0]) {
        named.insert(name)
        #expect(found[name] == [isOnMain], "\(name)")
      }
    }
    #expect(named == Set(found.keys))
  }
}
