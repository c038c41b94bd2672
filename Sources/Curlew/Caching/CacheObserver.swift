/// An observer of the responses that a cache serves, which network middlewares do not see.
///
/// A network middleware that conforms to it, such as `.recording(_:)`, is told of them.
package protocol CacheObserver: Sendable {
  /// Called with a response that was served without asking the server.
  func served(_ response: IncomingResponse, to request: OutgoingRequest)
}
