import CurlewScreens
import TestSupport
import Testing

/// The view controllers of a path in a navigation controller.
///
/// `CURLEW_STORIES=20000` tells many stories.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct ShownRoutesTests {
  /// A view controller.
  final class Controller: Equatable {
    let route: Spot
    init(_ route: Spot) { self.route = route }
    static func == (one: Controller, other: Controller) -> Bool { one === other }
  }

  @Test func `the controllers follow the path, and the path the user's pops`() {
    tellStories("navigations", count: 2_000) { generator in
      let path = RoutePath<Spot>()
      var visible: [Controller] = []
      var controllers: [(route: Spot, controller: Controller)] = []
      for _ in 0..<generator.pick(5...40) {
        switch generator.pick(0...6) {
        case 0...1: path.routes.append(.item(generator.pick(1...3)))
        case 2: path.routes = path.routes.dropLast(generator.pick(0...2))
        case 3: path.routes = [.item(generator.pick(1...3))]
        case 4:
          // The user pops, while the path may have changes that are not shown yet.
          let former = visible
          visible = visible.dropLast(generator.pick(0...2))
          let (before, shown) = (path.routes, former.map(\.route))
          path.pop(to: visible.count, &controllers)
          let appended = before.starts(with: shown) ? before.dropFirst(shown.count) : nil
          let expected = appended.map { visible.map(\.route) + $0 } ?? before
          guard path.routes == expected else {
            return "\(path.routes) after a pop, not \(expected)"
          }
        default:
          let former = visible
          if let stack = path.show(&controllers, make: { Controller($0) }) { visible = stack }
          guard visible.map(\.route) == path.routes else { return "\(visible) for \(path.routes)" }
          let kept = zip(former, path.routes).prefix { $0.route == $1 }.count
          guard visible.prefix(kept) == former.prefix(kept) else { return "made again" }
          guard path.show(&controllers, make: { Controller($0) }) == nil else { return "twice" }
        }
      }
      return nil
    }
  }
}
