import Foundation
import HTTPTypes

/// The address and the credentials of an HTTP proxy.
public struct ProxyServer: Sendable, Hashable {
  /// curl's default port for proxies.
  private static let defaultPort = 1080

  /// The host; an IPv6 address has no brackets.
  public let host: String
  /// The port.
  public let port: Int
  /// The user and the password.
  private let credentials: Credentials?

  private struct Credentials: Hashable {
    let user: String
    let password: String
  }

  /// Parses a URL as curl does, whose scheme may be omitted.
  init(_ text: String) throws(URLParsingError) {
    func malformed(_ reason: String) -> URLParsingError {
      URLParsingError(text: Self.masked(text), reason: reason, expected: .proxy)
    }
    guard !text.isEmpty else { throw malformed("it is empty") }
    let scheme = text.range(of: "://").map { text[..<$0.lowerBound].lowercased() } ?? "http"
    guard scheme == "http" else {
      throw malformed("its scheme must be http: proxies that use SOCKS or TLS are not supported")
    }
    let rest = text.range(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let at = authority.lastIndex(of: "@")
    let address = at.map { authority[authority.index(after: $0)...] } ?? authority
    let url: BaseURL
    do {
      url = try BaseURL("http://\(address)")
    } catch {
      throw malformed(error.reason)
    }
    let isAddress = address.hasPrefix("[")
    host = String(url.authority.prefix { isAddress ? $0 != "]" : $0 != ":" }.drop { $0 == "[" })
    let end = address.drop { isAddress ? $0 != "]" : $0 != ":" }
    port = Int(end.drop { $0 == "]" || $0 == ":" }) ?? Self.defaultPort
    guard let at else {
      credentials = nil
      return
    }
    let parts = authority[..<at].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let user = String(parts[0]).removingPercentEncoding, !user.contains(":"),
      let password = String(parts.dropFirst().first ?? "").removingPercentEncoding
    else { throw malformed("its user or its password is not percent-encoded") }
    credentials = Credentials(user: user, password: password)
  }

  /// Returns a text with everything between the scheme and the last `@` masked: a malformed text can't be parsed
  /// reliably.
  private static func masked(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let scheme = text.range(of: "://").flatMap {
      $0.upperBound <= at ? text[..<$0.upperBound] : nil
    }
    return "\(scheme ?? "")\(Redaction.mask)\(text[at...])"
  }

  /// The value of `Proxy-Authorization` (RFC 7617); `nil` without credentials.
  public var authorization: String? {
    credentials.map { "Basic " + Data("\($0.user):\($0.password)".utf8).base64EncodedString() }
  }

  #if canImport(Darwin)
    /// The user and the password; `nil` without credentials.
    var userAndPassword: (user: String, password: String)? {
      credentials.map { ($0.user, $0.password) }
    }
  #endif

  /// The host and the port, as in a URL.
  public var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

extension ProxyServer: Described {
  /// The URL, with the user and the password masked.
  public var description: String {
    "http://\(credentials == nil ? "" : Redaction.mask + "@")\(authority)"
  }
}

extension IncomingResponse {
  /// Masks a proxy's credentials in texts about this response: the proxy may quote them.
  ///
  /// - Parameters:
  ///   - server: The proxy that received the request itself; `nil` for none.
  ///   - request: The request, without the proxy's credentials.
  public mutating func maskCredentials(of server: ProxyServer?, for request: OutgoingRequest) {
    guard let authorization = server?.authorization else { return }
    var (sent, head) = (request, request.head)
    head.headerFields[.proxyAuthorization] = authorization
    sent.redaction.remember(secretsOf: head)
    sent.transfer = nil
    self.request = sent
  }
}
