extension Client {
  /// Returns the client's chain of middlewares, or one of the endpoint's own.
  func chain(for endpoint: some Endpoint) -> Chain {
    guard let change = endpoint.middleware else { return storage.chain }
    var configuration = configuration
    var lists = MiddlewareLists(
      middleware: configuration.middleware, networkMiddleware: configuration.networkMiddleware)
    change(&lists)
    (configuration.middleware, configuration.networkMiddleware) = (
      lists.middleware, lists.networkMiddleware
    )
    return Chain(configuration, storage.timers)
  }
}
