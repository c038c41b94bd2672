public import HTTPTypes

/// Adds header fields to each request that does not have them.
struct HeaderFieldsMiddleware: Middleware {
  let fields: HTTPFields

  /// Adds the fields and passes the request on.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    var request = request
    let present = request.head.headerFields
    for field in fields where !present.contains(field.name) {
      request.head.headerFields.append(field)
    }
    return try await next(request)
  }
}

extension HeaderFieldsMiddleware: CustomReflectable {
  /// A mirror that shows the names of the fields, but not their values: a value may be a token.
  var customMirror: Mirror {
    Mirror(self, children: ["fields": fields.map(\.name.rawName)], displayStyle: .struct)
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Adds the header fields that the request does not have.
  ///
  /// A request already has the fields of ``Client/Configuration/headerFields``, `User-Agent` and
  /// `Accept` among them: change these fields in the configuration.
  public static func headerFields(_ fields: HTTPFields) -> Self {
    Self(HeaderFieldsMiddleware(fields: fields))
  }
}
