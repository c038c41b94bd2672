/// Runs a middleware that no time limit can stop in a task of its own, which the call's limit cancels.
struct OwnTaskMiddleware: Middleware {
  let base: any Middleware

  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await request.inOwnTask { () async throws(Client.Error) -> IncomingResponse in
      try await base.send(request, next: next)
    }
  }
}

/// Runs a network middleware that no time limit can stop in a task of its own, which the call's limit cancels.
struct OwnTaskNetworkMiddleware: NetworkMiddleware {
  let base: any NetworkMiddleware

  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await request.inOwnTask { () async throws(Client.Error) -> IncomingResponse in
      try await base.send(request, next: next)
    }
  }

  func served(_ response: IncomingResponse, to request: OutgoingRequest) {
    base.served(response, to: request)
  }
}

/// Runs each request of a transport that no time limit can stop, and each read of a chunk, in a task of its own, which the
/// limits cancel.
struct OwnTaskTransport: Transport {
  let base: any Transport

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    request.startLimit(.firstByte)
    var response = try await request.runInOwnTask { [base] in try await base.send(request) }
    response.body = response.body.awaitedInTasks(for: request)
    return response
  }
}

extension Middleware {
  /// The middleware as a step of a chain, which a time limit can stop.
  var step: any Middleware {
    if let standard = self as? StandardMiddleware { return standard.base }
    return isStoppable ? self : OwnTaskMiddleware(base: self)
  }
}

extension NetworkMiddleware {
  /// The middleware as a step of a chain, which a time limit can stop.
  var step: any NetworkMiddleware {
    if let standard = self as? StandardNetworkMiddleware { return standard.base }
    return isStoppable ? self : OwnTaskNetworkMiddleware(base: self)
  }
}

extension OutgoingRequest {
  /// Runs a step in a task of its own, and each read of a body that it may have replaced.
  func inOwnTask(
    _ operation: @escaping @Sendable () async throws(Client.Error) -> IncomingResponse
  ) async throws(Client.Error) -> IncomingResponse {
    do {
      var response = try await runInOwnTask(operation)
      response.body = response.body.awaitedInTasks(for: self)
      return response
    } catch {
      throw failure(error)
    }
  }
}
