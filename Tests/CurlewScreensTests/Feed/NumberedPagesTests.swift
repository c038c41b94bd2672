import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Pages by number, whose items move up when the user deletes items.
@Suite(.timeLimit(.minutes(2)))
struct NumberedPagesTests {
  /// A server's list in pages of equal size.
  final class Server: Sendable {
    let size: Int
    private let ids: Mutex<[Int]>
    let requested = Mutex<[Int]>([])

    init(_ count: Int, size: Int) {
      self.size = size
      ids = Mutex(Array(1...count))
    }

    var all: [Int] { ids.withLock { $0 } }

    func page(_ key: PageKey?) -> Page<Entry> {
      let number = key?.number ?? 1
      requested.withLock { $0.append(number) }
      let all = all
      return Page(
        all.dropFirst((number - 1) * size).prefix(size),
        next: all.count > number * size ? .number(number + 1) : nil)
    }

    func reset(_ count: Int) { ids.withLock { $0 = Array(1...count) } }

    func delete(_ id: Int) { ids.withLock { $0.removeAll { $0 == id } } }
  }

  /// A list whose items the user deletes.
  struct Deleting: Screen {
    enum Event { case list(Feed<Entry>.Event), delete(Int) }
    let feed: Feed<Entry>
    let delete: @Sendable (Int) async throws -> Void
    var initial: Feed<Entry>.State { feed.initial }

    func handle(
      _ event: Event, _ state: inout Feed<Entry>.State, _ work: inout Work<Feed<Entry>.State>
    ) {
      switch event {
      case .list(let event): feed.handle(event, &state, &work)
      case .delete(let id):
        work.write("delete \(id)") {
          try await delete(id)
        } started: { state in
          state.remove(id, until: "delete \(id)")
        } finished: { state, result, _ in
          state.settle("delete \(id)", result)
        }
      }
    }
  }

  func probe(_ server: Server, _ deletions: PendingResponses<Int, Void>? = nil) -> ScreenProbe<
    Deleting
  > {
    ScreenProbe(
      Deleting(feed: Feed { server.page($0) }) { id in
        try await deletions?.next(for: id)
        server.delete(id)
      })
  }

  func end(_ probe: ScreenProbe<Deleting>) -> [Int] {
    for _ in 0..<50 where probe.state.status == .content { probe.send(.list(.more)) }
    return probe.state.items.map(\.id)
  }

  @Test func `nothing is skipped after the user's own deletion`() {
    let server = Server(10, size: 3)
    let probe = probe(server)
    probe.send(.list(.load))
    probe.send(.delete(2))
    probe.send(.list(.more))
    #expect(probe.state.items.map(\.id) == [1, 3, 4])
    #expect(probe.state.pageCount == 1)
    #expect(end(probe) == [1, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(server.requested.withLock { $0 } == [1, 1, 2, 3], "no page more than needed")
  }

  @Test func `as many pages are loaded again as have moved`() {
    let server = Server(20, size: 3)
    let probe = probe(server)
    probe.send(.list(.load))
    for _ in 1...3 { probe.send(.list(.more)) }
    for id in [1, 5, 6, 12] { probe.send(.delete(id)) }
    probe.send(.list(.more))
    // Eight items are shown, so the ninth is on the third page.
    #expect(server.requested.withLock { $0.last } == 3)
    #expect(end(probe) == server.all)
  }

  @Test func `a deletion that is refused loads no page again`() {
    let deletions = PendingResponses<Int, Void>()
    let server = Server(10, size: 3)
    let probe = probe(server, deletions)
    probe.send(.list(.load))
    probe.send(.delete(2))
    deletions.reply(.failure(Broken()))
    probe.settle()
    #expect(end(probe) == server.all)
    #expect(server.requested.withLock { $0 } == [1, 2, 3, 4])
  }

  @Test(arguments: [(1, 1), (4, 1), (7, 2), (9, 3), (16, 5)])
  func `no numbered page is skipped in any order`(count: Int, size: Int) async {
    let server = Server(count, size: size)
    let pages = PendingResponses { (key: PageKey?) in server.page(key) }
    let deletions = PendingResponses { (id: Int) in server.delete(id) }
    @Sendable func makeProbe() -> ScreenProbe<Deleting> {
      server.reset(count)
      let feed = Feed<Entry>(prefetchDistance: 1) { try await pages.next(for: $0) }
      return ScreenProbe(
        Deleting(feed: feed) { try await deletions.next(for: $0) }, activity: nil)
    }
    await explore(
      makeProbe(),
      checking: [
        .uniqueRows(\.items),
        .finally { probe in
          for _ in 0..<100 where probe.state.status != .ended && probe.state.status != .empty {
            let isIdle = probe.state.status == .idle
            probe.send(.list(isIdle ? .load : probe.state.failure == nil ? .more : .retry))
            while let key = pages.waiting.first {
              pages.reply(for: key)
              probe.settle()
            }
          }
          #expect(probe.state.items.map(\.id) == server.all)
        },
      ], runs: Fuzz.stories(full: 500), seed: Fuzz.seed(),
      events: { probe in
        var events: [Deleting.Event] =
          deletions.waiting.isEmpty ? [.list(.more), .list(.retry)] : []
        // A page and a deletion in flight at once: the server decides which comes first.
        if pages.waiting.isEmpty, !probe.state.isLoading {
          events += probe.state.items.map { .delete($0.id) }
        }
        return events.map { event in
          ExplorationStep("probe.send(\(event))", .event(event)) { probe.send(event) }
        }
      }
    ) { probe in
      probe.send(.list(.load))
    }
  }
}
