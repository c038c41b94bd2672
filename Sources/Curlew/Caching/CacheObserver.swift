/// An observer of the responses that a cache serves, which bypass the network middlewares.
///
/// The cache calls network middlewares that conform to this protocol, such as `.recording(_:)`.
package protocol CacheObserver: Sendable {
  /// Called with a response that was served without a request to the server.
  func served(_ response: IncomingResponse, to request: OutgoingRequest)
}
