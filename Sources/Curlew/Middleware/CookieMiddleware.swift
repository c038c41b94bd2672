import HTTPTypes

/// Implements `.cookies(in:)`.
struct CookieMiddleware: NetworkMiddleware {
  let jar: CookieJar

  /// Adds the cookies for the server, and stores the cookies of the response.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let origin = CookieOrigin(request.head)
    var request = request
    if request.head.headerFields[.cookie] == nil, let field = jar.field(for: origin) {
      request.head.headerFields.append(field)
    }
    let response = try await next(request)
    jar.take(response.head.headerFields[fields: .setCookie], from: origin)
    return response
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Sends cookies back to the servers that set them (RFC 6265); without it, a client sends no cookies.
  public static func cookies(in jar: CookieJar = CookieJar()) -> Self {
    Self(CookieMiddleware(jar: jar))
  }
}
