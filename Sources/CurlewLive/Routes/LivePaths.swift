import Foundation
import Hummingbird
import Synchronization

/// The paths of a router's live pages.
///
/// The script requests only these; it must not request the address of a file, which may work only once, before the
/// browser does.
final class LivePaths: Sendable {
  private let paths = Mutex<[String]>([])
  private static let byRouter = Mutex<[ObjectIdentifier: LivePaths]>([:])

  /// Returns the paths of a router.
  static func of(_ router: Router<some RequestContext>) -> LivePaths {
    let routes = Set(router.routes.map { "\($0.path)" })
    return byRouter.withLock { known in
      // A later router may have the identifier of one that no longer exists.
      if let paths = known[ObjectIdentifier(router)], paths.areIn(routes) { return paths }
      let paths = LivePaths()
      known[ObjectIdentifier(router)] = paths
      return paths
    }
  }

  private func areIn(_ routes: Set<String>) -> Bool {
    paths.withLock { $0.allSatisfy { routes.contains("\(RouterPath($0))") } }
  }

  func add(_ path: String) { paths.withLock { $0.append(path) } }

  /// A regular expression for the paths in addresses, in JavaScript: `^(?:/dogs|/dogs/[^/]+)/?$`.
  var expression: String {
    let patterns = paths.withLock { $0 }.map { path in
      path.split(separator: "/").map { segment in
        if segment.hasPrefix("{"), segment.hasSuffix("}") { return "/[^/]+" }
        let encoded = segment.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        return "/" + encoded.replacing(/[.$()*+?|\[\]\\^]/) { "\\\($0.0)" }
      }.joined()
    }
    return "^(?:\(patterns.joined(separator: "|")))/?$"
  }
}
