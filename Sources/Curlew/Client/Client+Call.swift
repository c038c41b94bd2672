import Foundation
import HTTPTypes

extension Client {
  /// Sends an endpoint's request, and returns the decoded response.
  ///
  /// Off the caller's actor, so that neither encoding nor decoding blocks the main thread.
  ///
  /// - Parameter cache: How the cache is used; `nil` for the client's cache mode.
  @concurrent
  func perform<E: Endpoint>(
    _ endpoint: E, cache: CacheUse? = nil
  ) async throws(Error) -> Response<E.Response> {
    let declaration = endpoint.request
    let request = try request(declaration, of: endpoint, cache: cache)
    return try await exchange(request) { response, sent async throws(Error) in
      let data = try await response.contents(for: sent)
      let value = try self.value(data, declaration.decoding, in: response, to: sent, for: request)
      return Response(value: value, response, to: sent)
    }
  }

  /// The end of a call that ``exchange(_:ends:_:)`` reports to observers.
  enum CallEnd { case here, later }

  /// Sends a request within the call's total time limit, and reads the response, off the caller's actor.
  ///
  /// - Parameters:
  ///   - end: When the call ends: a stream's ends when it has been read; `nil` for a request of a call that is observed
  ///     as a whole.
  ///   - read: Reads an accepted response, to the request that was sent last.
  /// - Throws: ``Client/Error/status(_:)`` if the endpoint does not accept the response's status.
  @concurrent
  func exchange<Value: Sendable>(
    _ request: OutgoingRequest, ends end: CallEnd? = .here,
    _ read: @Sendable (IncomingResponse, OutgoingRequest) async throws(Error) -> Value
  ) async throws(Error) -> Value {
    if end != nil { request.report(.began) }
    let call = request.call
    let timer = call?.start()
    defer { call?.end(timer) }
    do throws(Error) {
      guard !Task.isCancelled else { throw .cancelled }
      var response = try await chain(for: request).send(request)
      if response.hasOpaqueFields { response.head.headerFields = response.head.headerFields.asText }
      let sent = response.request ?? request
      guard sent.accepts(response.head.status) else {
        throw .status(
          StatusFailure(
            response.head, body: try await response.contents(for: sent), of: sent,
            decodedAs: request.declaration.errorBody ?? storage.configuration.errorBody,
            by: storage.configuration.jsonDecoder))
      }
      let value = try await read(response, sent)
      if end == .here { request.report(.finished) }
      return value
    } catch {
      var failure = error
      if case .cancelled = error, request.hasRunOutOfTime, !Task.isCancelled {
        failure = request.timeout(.total)
      }
      if end != nil { request.report(.failed(failure)) }
      throw failure
    }
  }

  /// Decodes the body of an accepted response, and reports it to the observers.
  ///
  /// - Parameters:
  ///   - sent: The request that was sent last, which may belong to another call.
  ///   - request: The request of this call.
  func value<Value>(
    _ data: Data, _ decoding: ResponseDecoding<Value>, in response: IncomingResponse,
    to sent: OutgoingRequest, for request: OutgoingRequest
  ) throws(Error) -> Value {
    let value = try decode(data, decoding, in: response.head, of: sent)
    request.report(.decoded(bytes: data.count))
    return value
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
