import CurlewSupport
import Foundation
import HTTPTypes

extension Client {
  /// Creates the request that an endpoint describes.
  ///
  /// - Parameters:
  ///   - isStreamed: Whether the response's body is read while it arrives.
  ///   - isObserved: Whether the client's observers receive the request's events.
  func request<E: Endpoint>(
    for endpoint: E, isStreamed: Bool = false, isObserved: Bool = true
  ) throws(Error) -> OutgoingRequest {
    try request(endpoint.request, of: endpoint, isStreamed: isStreamed, isObserved: isObserved)
  }

  /// Creates the request of an endpoint without its body, whose encoding may take long, for its URL.
  func requestWithoutBody<E: Endpoint>(for endpoint: E) throws(Error) -> OutgoingRequest {
    var declaration = endpoint.request
    declaration.body = .none
    return try request(declaration, of: endpoint, isObserved: false)
  }

  /// Creates a request from an endpoint's declaration.
  ///
  /// - Parameters:
  ///   - isStreamed: Whether the response's body is read while it arrives.
  ///   - isObserved: Whether the client's observers receive the request's events.
  ///   - cache: How the cache is used; `nil` for the client's cache mode.
  func request<E: Endpoint>(
    _ declaration: Request<E.Response>, of endpoint: E, isStreamed: Bool = false,
    isObserved: Bool = true, cache: CacheUse? = nil
  ) throws(Error) -> OutgoingRequest {
    let path = declaration.path
    let query = declaration.query
    let target = target(of: path, query)
    var fields = OutgoingRequest.Fields(
      head: HTTPRequest(
        method: declaration.method, scheme: target.scheme, authority: target.authority,
        path: target.path, headerFields: declaration.headerFields),
      body: nil,
      declaration: declaration,
      endpoint: E.self == Request<E.Response>.self ? nil : endpoint,
      limits: configuration.limits,
      redaction: configuration.redaction)
    for item in query.items where item.isSensitive {
      fields.redaction.queryItems.insert(item.name.lowercased())
    }
    fields.isStreamed = isStreamed
    fields.cacheUse = cache ?? CacheUse(mode: configuration.cacheMode.unlessReloading)
    let body = declaration.body
    if isStreamed { fields.limits.bodySize = .max }
    // A streamed body may be large, so it has no total limit; the other limits end a stalled transfer.
    if body.isStreamed { fields.limits.total = nil }
    if let url = path.url {
      if let redaction = url.parts.redaction { fields.redaction.formUnion(redaction) }
      fields.isCrossOrigin =
        url.parts.isFromElsewhere || !target.hasSameOrigin(as: baseURL.target)
    }
    declaration.limitsChange?(&fields.limits)
    let isObserved = isObserved && !configuration.observers.isEmpty
    fields.call = Call(
      fields.limits, storage.timers,
      observation: isObserved
        ? CallObservation(configuration.observers, storage.timers.clock) : nil,
      purges: configuration.cache?.tickets.purges, networkMonitor: configuration.networkMonitor)
    // Only the endpoint's fields override the client's, so that a repeated field of the client is sent
    // repeatedly.
    let own = fields.head.headerFields
    if own.isEmpty {
      fields.head.headerFields = configuration.headerFields
    } else {
      for field in configuration.headerFields where !own.contains(field.name) {
        fields.head.headerFields.append(field)
      }
    }
    do throws(Error) {
      if let fault = path.fault ?? fields.limits.fault {
        throw OutgoingRequest(fields).invalid(fault)
      }
      try addBody(body, to: &fields)
    } catch {
      let request = OutgoingRequest(fields)
      request.report(.began)
      request.report(.failed(error))
      throw error
    }
    // The chain removes credentials again after the middlewares. Removing them here hides them from the
    // middlewares.
    return fields.isCrossOrigin
      ? OutgoingRequest(fields).withoutClientCredentials : OutgoingRequest(fields)
  }

  /// Returns the URL of a path and a query.
  func target(of path: Path, _ query: Query) -> BaseURL.Target {
    let base = baseURL
    let target = path.url?.target(from: base.target)
    return BaseURL.Target(
      scheme: target?.scheme ?? base.scheme, authority: target?.authority ?? base.authority,
      path: Path.appending(query, to: target?.path ?? base.pathPrefix + path.description))
  }

  private func addBody(
    _ body: RequestBody, to request: inout OutgoingRequest.Fields
  ) throws(Error) {
    guard let encode = body.encode else { return }
    do {
      let clock = storage.timers.clock
      request.body = try encode(
        RequestBody.Context(jsonEncoder: configuration.jsonEncoder) { clock.now })
    } catch let problem as FileSystemError {
      throw OutgoingRequest(request).failure(problem)
    } catch {
      let request = OutgoingRequest(request).description
      throw .encoding(RequestFailure(request: request, reason: Self.reason(error)))
    }
    if request.head.headerFields[.contentType] == nil {
      request.head.headerFields[.contentType] = request.body?.contentType ?? body.contentType
    }
  }

  /// Returns the reason why a value can't be encoded, without the value, which may be secret.
  private static func reason(_ error: any Swift.Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return (path.isEmpty ? "" : "at \(path): ") + context.debugDescription
  }
}

extension CacheMode {
  /// The mode of a call without its own cache mode: during a user's reload, `.reload` instead of `.standard`.
  var unlessReloading: CacheMode { self == .standard && Reload.isRequested ? .reload : self }
}
