import HTTPTypes

/// A redirect of a request to another URL (RFC 9110 section 15.4).
struct Redirect {
  /// The status codes of redirects that contain another location for the same request.
  static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// The header fields that describe a body or its transfer, and are removed with it, as are all fields
  /// whose names begin with `Content-`.
  private static let contentFields: [HTTPField.Name] =
    [.expect, .lastModified, .trailer, .transferEncoding]
    + ["Digest", "Repr-Digest"].compactMap { HTTPField.Name($0) }

  /// The request to the redirect's target.
  let request: OutgoingRequest

  /// Creates the redirect of a response; returns `nil` if the response is not a redirect.
  ///
  /// - Parameter sent: The request as it was sent; its secrets are masked in texts about the next request.
  init?(
    from original: OutgoingRequest, sentAs sent: HTTPRequest, _ response: HTTPResponse
  ) throws(Client.Error) {
    guard Self.statuses.contains(response.status.code),
      let location = response.headerFields[.location]
    else { return nil }
    let isAmbiguous = response.headerFields[fields: .location].count > 1

    var request = original
    request.redaction.remember(secretsOf: sent)
    let redaction = request.redaction
    func refused(_ reason: Client.RedirectFailure.Reason) -> Client.Error {
      .redirect(
        Client.RedirectFailure(
          request: original.description,
          location: redaction.redacting(url: location), reason: reason))
    }
    // Joined by a comma, they would be another valid URL (RFC 9110 section 10.2.2).
    if isAmbiguous { throw refused(.severalLocations) }
    let base = BaseURL.Target(original.head)
    guard let target = (try? URLReference(location))?.target(from: base) else {
      throw refused(.malformedLocation)
    }
    guard !(original.head.scheme == "https" && target.scheme == "http") else {
      throw refused(.insecure)
    }

    request.isRedirected = true
    request.head.scheme = target.scheme
    request.head.authority = target.authority
    request.head.path = target.path
    if !target.hasSameOrigin(as: base) {
      // Credentials and the `Host` field are only for the original origin (RFC 9110 section 15.4).
      for name in original.redaction.credentials { request.head.headerFields[name] = nil }
      request.head.headerFields[.host] = nil
    }
    let method = original.head.method
    let becomesGet =
      response.status.code == 303
      ? method != .head && method != .get
      : [301, 302].contains(response.status.code) && method == .post
    if becomesGet {
      request.head.method = .get
      request.body = nil
      for name in Self.contentFields { request.head.headerFields[name] = nil }
      request.head.headerFields.removeAll { $0.name.canonicalName.hasPrefix("content-") }
    }
    if request.head.headerFields[.authorization]?.lowercased().hasPrefix("digest ") == true {
      // A digest is valid for only one URI (RFC 7616 section 3.4).
      request.head.headerFields[.authorization] = nil
    }
    self.request = request
  }
}

extension BaseURL.Target {
  /// The URL of a request.
  init(_ head: HTTPRequest) {
    self.init(
      scheme: head.scheme ?? "http", authority: head.authority ?? "", path: head.path ?? "/")
  }
}
