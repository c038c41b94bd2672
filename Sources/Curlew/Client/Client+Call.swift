import Foundation
import HTTPTypes

extension Client {
  /// Sends an endpoint's request within the call's total time limit.
  ///
  /// - Parameter cache: How the cache is used; `nil` for the client's cache mode.
  func perform<E: Endpoint>(
    _ endpoint: E, cache: CacheUse? = nil
  ) async throws(Error) -> Response<E.Response> {
    let declaration = endpoint.request
    let request = try request(declaration, of: endpoint, cache: cache)
    let decoding = declaration.decoding
    return try await request.observed { () async throws(Error) -> Response<E.Response> in
      try await call(request) { chain async throws(Error) -> Response<E.Response> in
        try await self.value(of: request, decoding, chain)
      }
    }
  }

  /// Runs an operation with the request's chain of middlewares, within its total time limit.
  func call<Value: Sendable>(
    _ request: OutgoingRequest,
    _ operation: @escaping @Sendable (Chain) async throws(Error) -> Value
  ) async throws(Error) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    let call = request.call ?? CallDeadline(request.limits, storage.timers)
    let chain = chain(for: request)
    let result = await call.run(inOwnTask: !chain.isStoppable) {
      () async -> Result<Value, Error> in
      do throws(Error) {
        return .success(try await operation(chain))
      } catch {
        return .failure(error)
      }
    }
    if case .failure(.cancelled) = result, call.hasPassed, !Task.isCancelled {
      throw request.timeout(.total)
    }
    return try result.get()
  }

  /// Sends a request, and returns the response and its request.
  ///
  /// - Throws: ``Client/Error/status(_:)`` if the endpoint does not accept the response's status.
  func acceptedResponse(
    to request: OutgoingRequest, through chain: Chain
  ) async throws(Error) -> (IncomingResponse, OutgoingRequest) {
    var response = try await chain.send(request)
    if response.hasOpaqueFields { response.head.headerFields = response.head.headerFields.asText }
    let sent = response.request ?? request
    guard sent.accepts(response.head.status) else {
      throw .status(
        StatusFailure(
          response.head, body: try await response.contents(for: sent), of: sent,
          decodedAs: request.declaration.errorBody ?? storage.configuration.errorBody,
          by: storage.configuration.jsonDecoder))
    }
    return (response, sent)
  }

  /// Returns the decoded response; runs off the caller's actor, so that decoding never blocks the main
  /// thread.
  @concurrent
  private func value<Value>(
    of request: OutgoingRequest, _ decoding: ResponseDecoding<Value>, _ chain: Chain
  ) async throws(Error) -> Response<Value> {
    let (response, sent) = try await acceptedResponse(to: request, through: chain)
    let data = try await response.contents(for: sent)
    let value = try decode(data, decoding, in: response.head, of: sent)
    // Reported for this call's request: the request that was sent may belong to another call.
    request.report(.decoded(bytes: data.count))
    return Response(value: value, response, to: sent)
  }

  /// Decodes a whole response, or a line of a streamed response.
  ///
  /// - Parameter line: The number of the line in the body, from 1; `nil` if the data is not a line.
  func decode<Value>(
    _ data: Data, _ decoding: ResponseDecoding<Value>, in head: HTTPResponse,
    of request: OutgoingRequest, line: Int? = nil
  ) throws(Error) -> Value {
    let decoder = storage.configuration.jsonDecoder
    let redaction = DecodingRedaction(redaction: request.redaction, head: request.head)
    do {
      return try DecodingRedaction.$current.withValue(redaction) {
        try decoding.decode(data, head, decoder)
      }
    } catch {
      throw .decoding(
        DecodingFailure(error, decoding, from: data, in: head, of: request, decoder, line: line))
    }
  }
}
