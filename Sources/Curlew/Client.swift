import Foundation
public import HTTPTypes

/// Sends endpoints to one API and returns typed values.
///
/// ```swift
/// let github = Client(baseURL: "https://api.github.com") {
///   $0.middleware = [.bearer(token)]
/// }
/// let repository = try await github.send(GitHub.repository(name))   // throws(Client.Error)
/// ```
///
/// A client is a value to pass around; its copies share the transport and its connections.
public struct Client: Sendable {
  /// All of it in one reference, which every request takes along.
  final class Storage: Sendable {
    let baseURL: BaseURL
    let configuration: Configuration
    let timers: TimerTable
    let chain: Chain

    init(_ baseURL: BaseURL, _ configuration: Configuration) {
      self.baseURL = baseURL
      self.configuration = configuration
      timers = TimerTable(clock: configuration.clock)
      chain = Chain(configuration, timers)
    }
  }

  let storage: Storage

  /// The URL that every endpoint's path is appended to.
  public var baseURL: BaseURL { storage.baseURL }
  /// How requests are sent and responses are read.
  public var configuration: Configuration { storage.configuration }

  /// Creates a client for an API.
  ///
  /// - Parameters:
  ///   - baseURL: The API's root. A literal is checked when the line runs; make one from a text
  ///     that came from outside with `try BaseURL(text)`.
  ///   - configure: Changes the default configuration.
  public init(baseURL: BaseURL, configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    storage = Storage(baseURL, configuration)
  }

  /// Sends an endpoint and returns its value.
  ///
  /// - Throws: ``Client/Error``. Cancelling the task stops the transfer and throws
  ///   ``Client/Error/cancelled``.
  public func send<E: Endpoint>(_ endpoint: E) async throws(Error) -> E.Response {
    try await response(for: endpoint).value
  }

  /// Sends an endpoint and returns its value or the error.
  public func result<E: Endpoint>(of endpoint: E) async -> Result<E.Response, Error> {
    do {
      return .success(try await send(endpoint))
    } catch {
      return .failure(error)
    }
  }

  /// Sends an endpoint and returns its value with the head of the response: header fields such as
  /// `Link` or `ETag`, and the URL after redirects.
  ///
  /// - Throws: ``Client/Error``.
  public func response<E: Endpoint>(for endpoint: E) async throws(Error) -> Response<E.Response> {
    try await perform(endpoint)
  }

  /// Sends an endpoint within the time that a call may take.
  func perform<E: Endpoint>(_ endpoint: E) async throws(Error) -> Response<E.Response> {
    let request = try request(for: endpoint)
    guard !Task.isCancelled else { throw .cancelled }
    let (call, decoding) = (
      request.call ?? CallDeadline(request.limits, storage.timers), endpoint.decoding
    )
    let result = await call.run(inOwnTask: !storage.chain.isStoppable) {
      () async -> Result<Response<E.Response>, Error> in
      do throws(Error) {
        return .success(try await self.value(of: request, decoding))
      } catch {
        return .failure(error)
      }
    }
    if case .failure(.cancelled) = result, call.hasPassed, !Task.isCancelled {
      throw request.timeout(.total)
    }
    return try result.get()
  }

  /// Runs off the caller's actor, so that decoding never holds up a main thread.
  @concurrent
  private func value<Value>(
    of request: OutgoingRequest, _ decoding: ResponseDecoding<Value>
  ) async throws(Error) -> Response<Value> {
    let response = try await storage.chain.send(request)
    let sent = response.request ?? request
    let data = try await response.contents(for: sent)
    guard sent.accepts(response.head.status) else {
      throw .status(
        StatusFailure(
          response.head, body: data, of: sent,
          decodedAs: request.endpoint.errorBody ?? storage.configuration.errorBody,
          by: storage.configuration.jsonDecoder))
    }
    do {
      let redact = { @Sendable (text: String) in
        sent.redaction.redacting(text, secretsOf: sent.head)
      }
      let value = try DecodingRedaction.$redact.withValue(redact) {
        try decoding.decode(data, response.head, storage.configuration.jsonDecoder)
      }
      return Response(value: value, head: response.head, request: sent)
    } catch {
      throw .decoding(
        DecodingFailure(
          error, decoding, from: data, in: response.head, of: sent,
          storage.configuration.jsonDecoder))
    }
  }
}

/// A value with the head of the response that brought it.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// Status and header fields.
  public let head: HTTPResponse
  /// The request that was answered: the last one, after redirects.
  let request: OutgoingRequest

  /// The URL that answered, after redirects, with secret query items masked.
  public var url: String { request.redaction.redacting(url: request.url) }
}

extension Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The API that requests go to.
  public var description: String { "Client(\(baseURL))" }

  /// As ``description``.
  public var debugDescription: String { description }

  /// Shows no more than ``description``: the configuration may hold credentials.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}

extension Response: CustomReflectable {
  /// Shows the value, the status, the header fields with masks for secret ones, and the URL.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "value": value, "status": head.status,
        "headerFields": request.redaction.redacting(head.headerFields, secretsOf: request.head),
        "url": url,
      ], displayStyle: .struct)
  }
}
