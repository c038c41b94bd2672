import CurlewScreens
import TestSupport
import Testing

/// The view controllers of a path in a navigation controller.
///
/// `CURLEW_STORIES=20000` tells many stories.
@Suite(.timeLimit(.minutes(2)))
struct RouteControllersTests {
  /// A view controller.
  final class Controller: Equatable {
    let route: Spot
    init(_ route: Spot) { self.route = route }
    static func == (one: Controller, other: Controller) -> Bool { one === other }
  }

  @Test func `the controllers follow the path, and the path the user's pops`() {
    tellStories("navigations", count: 2_000) { generator in
      var (routes, visible): ([Spot], [Controller]) = ([], [])
      var controllers = RouteControllers<Spot, Controller>()
      for _ in 0..<generator.pick(5...40) {
        switch generator.pick(0...6) {
        case 0...1: routes.append(.item(generator.pick(1...3)))
        case 2: routes = routes.dropLast(generator.pick(0...2))
        case 3: routes = [.item(generator.pick(1...3))]
        case 4:
          // The user pops, while the path may have changes that are not shown yet.
          let former = visible
          visible = visible.dropLast(generator.pick(0...2))
          let (before, shown) = (routes, former.map(\.route))
          controllers.pop(to: visible.count, in: &routes)
          let appended = before.starts(with: shown) ? before.dropFirst(shown.count) : nil
          let expected = appended.map { visible.map(\.route) + $0 } ?? before
          guard routes == expected else { return "\(routes) after a pop, not \(expected)" }
        default:
          let former = visible
          if let stack = controllers.show(routes, make: { Controller($0) }) { visible = stack }
          guard visible.map(\.route) == routes else { return "\(visible) for \(routes)" }
          let kept = zip(former, routes).prefix { $0.route == $1 }.count
          guard visible.prefix(kept) == former.prefix(kept) else { return "made again" }
          guard controllers.show(routes, make: { Controller($0) }) == nil else { return "twice" }
        }
      }
      return nil
    }
  }
}
