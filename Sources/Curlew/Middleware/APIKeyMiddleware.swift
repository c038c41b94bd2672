public import HTTPTypes

/// Adds an API key to each request, as a query item or a header field, unless the request has a key.
///
/// A redirect within the origin keeps the header field; it keeps the query item only if its `Location`
/// does. The URL of an endpoint with another origin than the base URL gets no key.
///
/// The key is secret: it appears in no description, log, error or recording.
struct APIKeyMiddleware: Middleware {
  enum Location: Sendable {
    case query(name: String)
    case header(HTTPField.Name)
  }

  let key: Sensitive
  let location: Location

  /// Adds the key and passes the request on.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    var request = request
    switch location {
    case .query(let name):
      // Also masks a key that the endpoint sets itself.
      request.redaction.queryItems.insert(name.lowercased())
      let path = request.head.path ?? "/"
      if !request.isCrossOrigin, Query.value(of: name, in: path) == nil {
        request.head.path = Path.appending(Query([Query.Item(name, key.value)]), to: path)
      }
    case .header(let name):
      request.redaction.headerFields.insert(name)
      if !request.isCrossOrigin, request.head.headerFields[name] == nil {
        request.head.headerFields[name] = key.value
      }
    }
    return try await next(request)
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Adds a key to each request as a query item: `?api_key=…`.
  public static func apiKey(_ key: String, query name: String) -> Self {
    Self(APIKeyMiddleware(key: Sensitive(key), location: .query(name: name)))
  }

  /// Adds a key to each request as a header field: `X-Api-Key: …`.
  public static func apiKey(_ key: String, header name: HTTPField.Name) -> Self {
    Self(APIKeyMiddleware(key: Sensitive(key), location: .header(name)))
  }
}
