/// The HTTP proxy through which a transport reaches its servers.
///
/// ```swift
/// let proxy = try Proxy("http://me:s3cret@proxy.example.com:3128", except: "localhost,.corp.example.com")
/// let github = Client(baseURL: "https://api.github.com") {
///   $0.transport = .asyncHTTPClient(proxy: proxy)
/// }
/// ```
///
/// Requests to https servers go through a tunnel (`CONNECT`, RFC 9110 section 9.3.6), in which TLS is between the
/// client and the server. Requests to http servers are sent to the proxy, with the whole URL (RFC 9112 section 3.2.2).
///
/// Descriptions mask the user and the password.
public struct Proxy: Sendable, Hashable {
  /// An address, or the reason why a variable's text is not an address.
  enum Address: Sendable, Hashable {
    case server(ProxyServer)
    case malformed(reason: String)
  }

  /// The proxy for http servers; `nil` for none.
  let http: Address?
  /// The proxy for https servers; `nil` for none.
  let https: Address?
  let exceptions: ProxyExceptions

  init(http: Address?, https: Address?, except exceptions: ProxyExceptions) {
    (self.http, self.https, self.exceptions) = (http, https, exceptions)
  }

  /// Whether the system's settings apply where there is no address.
  var mayUseSystem = false

  /// Returns whether the system's settings apply to a request, on Apple's systems.
  func usesSystem(for request: OutgoingRequest) -> Bool {
    mayUseSystem && (request.head.scheme == "https" ? https : http) == nil
  }

  /// No proxy, whatever the environment's variables contain.
  public static let none = Proxy(http: nil, https: nil, except: "")

  /// Creates a proxy for all servers from a text from outside the program.
  ///
  /// Pass a variable: `Proxy("…")` is a literal, with or without `try` (SE-0213), and a malformed literal ends the
  /// process.
  ///
  /// - Parameters:
  ///   - address: The URL of an HTTP proxy, with or without a user and a password, such as
  ///     `http://me:s3cret@proxy.example.com:3128`. Characters with a meaning in URLs are percent-encoded. As in
  ///     curl, `http://` may be omitted, and the default port is 1080.
  ///   - exceptions: The servers that are reached without the proxy; none by default.
  /// - Throws: ``URLParsingError``, which quotes the text without its user and password.
  public init(_ address: String, except exceptions: ProxyExceptions = "") throws(URLParsingError) {
    let server = Address.server(try ProxyServer(address))
    self.init(http: server, https: server, except: exceptions)
  }

  /// Returns the proxy for a request; `nil` to send it to its server directly.
  ///
  /// - Throws: ``Client/Error/invalidRequest(_:)`` if a variable of the environment contains no address.
  public func server(for request: OutgoingRequest) throws(Client.Error) -> ProxyServer? {
    guard let address = request.head.scheme == "https" ? https : http else { return nil }
    let (host, port) = request.hostAndPort
    guard !exceptions.contains(host: host, port: port) else { return nil }
    switch address {
    case .server(let server): return server
    case .malformed(let reason): throw request.invalid(reason)
    }
  }
}

extension Proxy: ExpressibleByStringLiteral {
  /// Creates a proxy for all servers from a literal.
  ///
  /// - Precondition: The literal is well-formed. For a text from outside the program, use ``init(_:except:)``.
  public init(stringLiteral address: String) {
    do {
      try self.init(address)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension Proxy: Described {
  /// The addresses for http and https servers, with the user and the password masked, and the exceptions.
  public var description: String {
    let texts = [("http", http), ("https", https)].compactMap { scheme, address in
      switch address {
      case .server(let server)?: "\(scheme): \(server)"
      case .malformed?: "\(scheme): malformed"
      case nil: String?.none
      }
    }
    guard !texts.isEmpty else { return "Proxy(none)" }
    let except = exceptions == "" ? [] : ["except: \(exceptions)"]
    return "Proxy(\((texts + except).joined(separator: ", ")))"
  }
}

extension OutgoingRequest {
  /// The host, an IPv6 address without its brackets, and the port.
  fileprivate var hostAndPort: (String, Int) {
    let authority = head.authority ?? ""
    let isSecure = head.scheme == "https"
    let host = authority.prefix { authority.hasPrefix("[") ? $0 != "]" : $0 != ":" }
    let port = authority[host.endIndex...].drop { $0 == "]" || $0 == ":" }
    return (String(host.drop { $0 == "[" }), Int(port) ?? (isSecure ? 443 : 80))
  }
}
