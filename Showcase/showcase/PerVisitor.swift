package import Curlew
package import HTTPTypes
package import Sandbox
import Synchronization

/// Tells the sandbox for which visitor of the pages a request is made.
///
/// A request that several visitors share, coalesced or cached, is that of the first.
package struct VisitorObserver: RequestObserver {
  private static let field = HTTPField.Name(Sandbox.visitorField)

  package init() {}

  package func observe(_ event: RequestEvent) {}

  package func headerFields(for event: RequestEvent) -> [HTTPField] {
    guard let field = Self.field, let visitor = event.initiator?.visitor else { return [] }
    return [HTTPField(name: field, value: visitor)]
  }
}

/// Gives each visitor that has changed the sandbox a middleware of its own: nobody queues behind a slow
/// request of another one, and a server that fails one visitor is asked by the others.
final class PerVisitor: NetworkMiddleware {
  private let visitor: @Sendable () -> String?
  private let make: @Sendable () -> StandardNetworkMiddleware
  private let shared: StandardNetworkMiddleware
  private let own = Mutex(VisitorTable<StandardNetworkMiddleware>())

  init(
    _ visitor: @escaping @Sendable () -> String?,
    _ make: @escaping @Sendable () -> StandardNetworkMiddleware
  ) {
    (self.visitor, self.make, shared) = (visitor, make, make())
  }

  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await (visitor().map(middleware) ?? shared).send(request, next: next)
  }

  private func middleware(of visitor: String) -> StandardNetworkMiddleware {
    own.withLock { own in
      if let middleware = own[visitor] { return middleware }
      let middleware = make()
      own.set(middleware, of: visitor)
      return middleware
    }
  }
}

extension Network {
  /// Returns a middleware, with one for each visitor that has a server of its own.
  func perVisitor(
    _ make: @escaping @Sendable () -> StandardNetworkMiddleware
  ) -> any NetworkMiddleware {
    visitor.map { PerVisitor($0, make) } ?? make()
  }

  /// Sends requests to a sandbox for the visitors that make them.
  package mutating func serveVisitors(of sandbox: Sandbox) {
    observers.append(VisitorObserver())
    visitor = {
      Initiator.current?.visitor.flatMap { sandbox.visitors.contains($0) ? $0 : nil }
    }
  }
}
