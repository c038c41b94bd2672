package import Curlew
package import HTTPTypes
package import Sandbox
import Synchronization

/// Sends the visitor of the pages to the sandbox in a header field.
///
/// A request shared by several visitors, by coalescing or caching, belongs to the first visitor.
package struct VisitorObserver: RequestObserver {
  private static let field = HTTPField.Name(Sandbox.visitorField)

  package init() {}

  package func observe(_ event: RequestEvent) {}

  package func headerFields(for event: RequestEvent) -> [HTTPField] {
    guard let field = Self.field, let visitor = event.initiator?.visitor else { return [] }
    return [HTTPField(name: field, value: visitor)]
  }
}

/// Uses a separate middleware for each visitor that has changed the sandbox.
///
/// A visitor's slow requests don't delay other visitors, and a server that fails for one visitor
/// stays available to others.
final class PerVisitor: NetworkMiddleware {
  private let visitor: @Sendable () -> String?
  private let make: @Sendable () -> StandardMiddleware
  private let shared: StandardMiddleware
  private let own = Mutex(VisitorTable<StandardMiddleware>())

  init(
    _ visitor: @escaping @Sendable () -> String?,
    _ make: @escaping @Sendable () -> StandardMiddleware
  ) {
    (self.visitor, self.make, shared) = (visitor, make, make())
  }

  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await (visitor().map(middleware) ?? shared).send(request, next: next)
  }

  private func middleware(of visitor: String) -> StandardMiddleware {
    own.withLock { own in
      if let middleware = own[visitor] { return middleware }
      let middleware = make()
      own.set(middleware, of: visitor)
      return middleware
    }
  }
}

extension Network {
  /// Returns a middleware that is separate for each visitor with individual server options.
  func perVisitor(
    _ make: @escaping @Sendable () -> StandardMiddleware
  ) -> any NetworkMiddleware {
    visitor.map { PerVisitor($0, make) } ?? make()
  }

  /// Makes requests to a sandbox on behalf of their visitors.
  package mutating func serveVisitors(of sandbox: Sandbox) {
    observers.append(VisitorObserver())
    visitor = {
      Initiator.current?.visitor.flatMap { sandbox.visitors.contains($0) ? $0 : nil }
    }
  }
}
