import CurlewScreens
import CurlewTesting
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

/// A route for these tests.
enum Spot: Route {
  case home
  case item(Int)

  var address: String {
    switch self {
    case .home: "/"
    case .item(let number): "/items/\(number)"
    }
  }

  init?(address: String) {
    if address == "/" {
      self = .home
    } else if address.hasPrefix("/items/"), let number = Int(address.dropFirst(7)) {
      self = .item(number)
    } else {
      return nil
    }
  }
}

/// Navigates to its events' routes.
private struct Guide: Screen {
  enum Event { case go([Int]), count, finish }
  let responses = PendingResponses<Int, Int>()
  var initial: Int { 0 }

  func handle(_ event: Event, _ state: inout Int, _ work: inout Work<Int>) {
    switch event {
    case .go(let numbers):
      state += 1
      for number in numbers { work.go(to: Spot.item(number)) }
    case .count: state += 1
    case .finish:
      work.latest("finish") { [responses] in
        try await responses.next(for: 0)
      } finished: { state, result, _ in
        state = (try? result.get()) ?? -1
      }
    }
  }

  func stateDidChange(_ state: inout Int, _ work: inout Work<Int>) {
    if state == 100 { work.go(to: Spot.home) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct NavigationTests {
  @MainActor
  @Test(
    arguments: [
      ("https://birds.example/items/7", [.item(7)]), ("https://birds.example/items/7?tab=a", nil),
      ("birds://items/7", [.item(7)]), ("birds:///items/7", [.item(7)]),
      ("https://birds.example/none", nil), ("https://items/7", nil), ("birds://other/7", nil),
    ] as [(String, [Spot]?)])
  func `a URL from outside leads to its route`(url: String, routes: [Spot]?) throws {
    let path = RoutePath<Spot>([.home])
    let url = try #require(URL(string: url))
    #expect(path.open(url) == (routes != nil))
    #expect(path.routes == routes ?? [.home])
  }

  @MainActor
  @Test func `path is stored by its addresses, up to one that is no route`() throws {
    let data = try JSONEncoder().encode(RoutePath<Spot>([.home, .item(7)]))
    #expect(String(decoding: data, as: UTF8.self).contains("items"))
    #expect(try JSONDecoder().decode(RoutePath<Spot>.self, from: data).routes == [.home, .item(7)])
    let older = Data(#"["/items/1", "/gone", "/items/2"]"#.utf8)
    #expect(try JSONDecoder().decode(RoutePath<Spot>.self, from: older).routes == [.item(1)])
  }

  /// Records navigation, among other calls.
  final class Log: Navigator {
    let lines = Mutex<[String]>([])
    func go(to route: any Route) { lines.withLock { $0.append("go \(route.address)") } }
  }

  let log = Log()
  let executor = TestExecutor()

  private func runner<S: Screen>(_ screen: S) -> Runner<S> {
    Runner(screen, clock: TestClock(), executor: .custom(executor), navigator: log) { [log] in
      log.lines.withLock { $0.append("state") }
    }
  }

  var lines: [String] { log.lines.withLock { $0 } }

  @Test func `places come after the state and in their order`() {
    let runner = runner(Guide())
    runner.send(.go([1, 2, 3]))
    #expect(lines == ["state", "go /items/1", "go /items/2", "go /items/3"])
    runner.send(.go([4]))
    #expect(lines.suffix(2) == ["state", "go /items/4"])
  }

  @Test func `event that only goes somewhere changes no state`() {
    struct Door: Screen {
      var initial: Int { 0 }
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
        work.go(to: Spot.item(event))
      }
    }
    runner(Door()).send(5)
    #expect(lines == ["go /items/5"])
  }

  @Test func `part of a screen can go somewhere`() {
    struct House: Screen {
      struct State: Equatable { var guide = 0 }
      let guide = Guide()
      var initial: State { State() }
      func handle(_ event: Int, _ state: inout State, _ work: inout Work<State>) {
        work.go(to: Spot.home)
        work.scope(\.guide) { guide.handle(.go([event]), &state.guide, &$0) }
        work.go(to: Spot.home)
      }
    }
    runner(House()).send(2)
    #expect(lines == ["state", "go /", "go /items/2", "go /"])
  }

  @Test func `end of work can lead somewhere`() {
    let screen = Guide()
    let runner = runner(screen)
    runner.send(.finish)
    executor.drain()
    screen.responses.reply(.success(100))
    executor.drain()
    #expect(lines == ["state", "go /"])
  }

  @Test func `navigator may call the runner`() {
    // The navigator is called outside the runner's lock; otherwise this hangs.
    final class Back: Navigator {
      let runner = Mutex<Runner<Guide>?>(nil)
      func go(to route: any Route) { runner.withLock { $0 }?.send(.count) }
    }
    let back = Back()
    let runner = Runner(Guide(), navigator: back)
    back.runner.withLock { $0 = runner }
    runner.send(.go([1]))
    #expect(runner.state == 2)
    back.runner.withLock { $0 = nil }
  }

  @Test func `places keep their order when a new state sends an event`() {
    let relay = Mutex<Runner<Guide>?>(nil)
    let runner = Runner(
      Guide(), navigator: log,
      onChange: {
        guard let runner = relay.withLock({ $0 }), runner.state == 1 else { return }
        runner.send(.go([2]))
      })
    relay.withLock { $0 = runner }
    runner.send(.go([1]))
    relay.withLock { $0 = nil }
    #expect(lines == ["go /items/1", "go /items/2"])
  }

  @Test func `stopped screen goes nowhere`() {
    let runner = runner(Guide())
    runner.stop()
    runner.send(.go([1]))
    #expect(lines == [])
  }

  @Test func `without a navigator going does nothing`() {
    let runner = Runner(Guide())
    runner.send(.go([1]))
    #expect(runner.state == 1)
  }

  @MainActor
  @Test func `model goes where its screen says`() async {
    let path = RoutePath<Spot>()
    let model = ScreenModel(Guide(), clock: TestClock(), navigator: path)
    model.send(.go([1, 2]))
    #expect(model.state == 1)
    await eventually { path.routes.count == 2 }
    #expect(path.routes == [.item(1), .item(2)])
  }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RoutePathTests {
  enum Other: Route {
    case only
    init?(address: String) { nil }
    var address: String { "/other" }
  }

  @Test func `address from outside is opened in place of what is there`() throws {
    let path = RoutePath<Spot>([.home, .item(1)])
    #expect(path.open(try #require(URL(string: "app:/items/7"))))
    #expect(path.routes == [.item(7)])
  }

  @Test func `scheme of a link is read in any case`() throws {
    let path = RoutePath<Spot>()
    #expect(path.open(try #require(URL(string: "HTTPS://example.com/items/7"))))
    #expect(path.routes == [.item(7)])
  }

  @Test func `address that leads nowhere changes nothing`() throws {
    let path = RoutePath<Spot>([.item(1)])
    #expect(!path.open(try #require(URL(string: "app:/nowhere"))))
    #expect(path.routes == [.item(1)])
  }

  @Test func `places of other apps are left alone`() async {
    let path = RoutePath<Spot>()
    path.go(to: Other.only)
    path.go(to: Spot.item(1))
    await eventually { !path.routes.isEmpty }
    #expect(path.routes == [.item(1)])
  }

  @Test func `going somewhere is observed`() async {
    let path = RoutePath<Spot>()
    let (changes, changed) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = path.routes
    } onChange: {
      changed.finish()
    }
    path.go(to: Spot.home)
    for await _ in changes {}
    await eventually { !path.routes.isEmpty }
    #expect(path.routes == [.home])
  }
}
