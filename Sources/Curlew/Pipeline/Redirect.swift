import Foundation
import HTTPTypes

/// A redirect of a request to another URL (RFC 9110 section 15.4).
struct Redirect {
  /// The status codes of redirects that name another location for the same request.
  static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// The header fields that describe a body, and are dropped with it.
  private static let contentFields: [HTTPField.Name] =
    [.contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation]
    + ["Content-Digest", "Repr-Digest"].compactMap { HTTPField.Name($0) }

  /// The request to send instead.
  let request: OutgoingRequest

  /// Creates the redirect in a response; returns `nil` if there is none.
  ///
  /// - Parameter sent: The request as it was sent, whose secrets are masked in texts about the next
  ///   one.
  init?(
    from original: OutgoingRequest, sentAs sent: HTTPRequest, _ response: HTTPResponse
  ) throws(Client.Error) {
    guard Self.statuses.contains(response.status.code),
      let location = response.headerFields[.location]
    else { return nil }

    var request = original
    request.redaction.remember(secretsOf: sent)
    let redaction = request.redaction
    func refused(_ reason: Client.RedirectFailure.Reason) -> Client.Error {
      .redirect(
        Client.RedirectFailure(
          request: original.description,
          location: redaction.redacting(url: location), reason: reason))
    }
    guard let target = BaseURL.Target(location, relativeTo: original.url) else {
      throw refused(.malformedLocation)
    }
    guard !(original.head.scheme == "https" && target.scheme == "http") else {
      throw refused(.insecure)
    }

    let isSameOrigin =
      target.scheme == original.head.scheme && target.authority == original.head.authority
    request.head.scheme = target.scheme
    request.head.authority = target.authority
    request.head.path = target.path
    if !isSameOrigin {
      // Credentials are for the original origin only (RFC 9110 section 15.4).
      let credentials: Set<HTTPField.Name> = [.authorization, .proxyAuthorization, .cookie]
      for name in original.redaction.headerFields.union(credentials) {
        request.head.headerFields[name] = nil
      }
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
    }
    if request.head.headerFields[.authorization]?.lowercased().hasPrefix("digest ") == true {
      // It is valid for one URI (RFC 7616 section 3.4).
      request.head.headerFields[.authorization] = nil
    }
    self.request = request
  }
}

extension BaseURL {
  /// The parts of an absolute http or https URL.
  struct Target {
    let scheme: String
    let authority: String
    /// The path with its query.
    let path: String

    /// Resolves a reference (RFC 3986 section 5); returns `nil` unless the result is an http or https
    /// URL.
    init?(_ reference: String, relativeTo base: String) {
      // Servers send unencoded spaces and UTF-8. Foundation would encode them, but it would also encode
      // existing escapes a second time.
      var encoded = ""
      PercentEncoding.reference.append(reference, to: &encoded)
      guard let base = URL(string: base), let url = URL(string: encoded, relativeTo: base),
        let parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true),
        let whole = parts.string
      else { return nil }
      // Without path, query and fragment, what is left must be a base URL.
      let end = parts.rangeOfPort?.upperBound ?? parts.rangeOfHost?.upperBound
      guard let end, let checked = try? BaseURL(String(whole[..<end])) else { return nil }
      scheme = checked.scheme
      authority = checked.authority
      let path = parts.percentEncodedPath
      self.path =
        (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
  }
}
