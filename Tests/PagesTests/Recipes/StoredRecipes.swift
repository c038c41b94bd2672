import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// The recipes of Screens.md about stored values, compiled and run.
@Suite("The recipes about stored content", .timeLimit(.minutes(1)))
struct StoredRecipes {
  typealias Post = LoadRecipes.Post

  nonisolated struct Failed: Error {}

  /// A server with a store, at first unreachable.
  nonisolated struct Server: Sendable {
    let flags = PendingResponses<Int, Bool?>()
    let pages = PendingResponses<Int, Dated<Page<Post>>?>()

    func values(_ key: PageKey?) -> AsyncThrowingStream<Dated<Page<Post>>, any Error> {
      AsyncThrowingStream(unfolding: { try await pages.next(for: key?.number ?? 1) })
    }

    func isOffline() -> AsyncThrowingStream<Bool, any Error> {
      AsyncThrowingStream(unfolding: { try await flags.next(for: 0) })
    }
  }

  @Test func `news are shown without a network and refreshed`() {
    let server = Server()
    let news = Feed<Post>(source: Source(values: { key in server.values(key) }))
    let options = ScreenActivity.Options(isOffline: { server.isOffline() })
    let probe = ScreenProbe(news, activity: options)
    let yesterday = Date(timeIntervalSince1970: 1)
    probe.send(.load)
    server.flags.reply(.success(true))
    server.pages.reply(.success(Dated(Page([Post(id: 1)]), asOf: yesterday)))
    probe.settle()
    server.pages.reply(.failure(Failed()))
    probe.settle()
    #expect(probe.activity.isOffline)
    #expect(probe.state.items.map(\.id) == [1])
    #expect(probe.state.asOf == yesterday)
    server.flags.reply(.success(false))
    probe.settle()
    server.pages.reply(.success(Dated(Page([Post(id: 2)]), asOf: .distantFuture)))
    probe.settle()
    server.pages.reply(.success(nil))
    probe.settle()
    #expect(!probe.activity.isOffline)
    #expect(probe.state.items.map(\.id) == [2])
    #expect(probe.activity.alerts.isEmpty)
  }

  nonisolated struct Weather: Screen {
    let values: @Sendable () -> AsyncThrowingStream<Dated<Int>, any Error>
    let initial: Loadable<Int> = .idle

    func handle(
      _ event: Void, _ state: inout Loadable<Int>, _ work: inout Work<Loadable<Int>>
    ) {
      work.latest("weather", Source(values: values), for: (), \.self)
    }
  }

  @Test func `weather is shown as it was and then as it is`() {
    let values = PendingResponses<Int, Dated<Int>?>()
    let probe = ScreenProbe(
      Weather { AsyncThrowingStream(unfolding: { try await values.next(for: 0) }) })
    probe.send(())
    values.reply(.success(Dated(20, asOf: nil)))
    probe.settle()
    #expect(probe.state == .loading(last: 20))
    values.reply(.success(Dated(21, asOf: nil)))
    probe.settle()
    values.reply(.success(nil))
    probe.settle()
    #expect(probe.state == .content(21))
  }
}
