import Foundation

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

extension Proxy {
  /// The proxies in the environment's variables; the default of each transport.
  ///
  /// As in curl (see ENVIRONMENT in its manual), these variables contain the address of a proxy, in the form of
  /// ``init(_:except:)``; the first variable that is not empty applies:
  /// - for http servers: `http_proxy`, `all_proxy`, `ALL_PROXY`,
  /// - for https servers: `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`.
  ///
  /// `HTTP_PROXY` is ignored: in a CGI program, each client can set it by the header field `Proxy` (httpoxy). The
  /// servers in `no_proxy` or `NO_PROXY` are reached directly (``ProxyExceptions``). Servers on the same machine are
  /// no exception, unless they are listed.
  ///
  /// The variables are read once. A variable without a usable address is not ignored: the requests that would use it
  /// throw ``Client/Error/invalidRequest(_:)``, which names the variable. Without any variable, `URLSession` on
  /// Apple's platforms uses the system's settings.
  public static var environment: Proxy { process }

  private static let process = Proxy.environment(ProcessInfo.processInfo.environment)

  /// Returns the proxies in a program's own variables, as in ``environment``.
  public static func environment(_ variables: [String: String]) -> Proxy {
    Proxy { variables[$0] }
  }

  init(variable: (String) -> String?) {
    func first(_ names: [String]) -> (name: String, text: String)? {
      names.compactMap { name in variable(name).map { (name, $0) } }.first { !$0.1.isEmpty }
    }
    func address(_ names: [String]) -> Address? {
      guard let (name, text) = first(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
      do {
        return .server(try ProxyServer(text))
      } catch {
        return .malformed(reason: "the environment's variable \(name) is malformed: \(error)")
      }
    }
    self.init(
      http: address(["http_proxy"]), https: address(["https_proxy", "HTTPS_PROXY"]),
      except: ProxyExceptions(first(["no_proxy", "NO_PROXY"])?.text ?? ""))
    mayUseSystem = true
  }
}

/// The servers that are reached without a proxy, in the form of the variable `NO_PROXY`.
///
/// ```swift
/// let exceptions: ProxyExceptions = "localhost, .corp.example.com, api.example.com:8080, 10.0.0.0/8"
/// ```
///
/// The entries are separated by commas or spaces, and compared as in curl:
/// - A name is that host and all of its subdomains; the case and a dot at the beginning don't matter.
/// - An IP address is that address, and an address with a prefix length (CIDR) its network. An address is never
///   compared with names, and no name is resolved.
/// - The text `*` alone is every host.
///
/// Beyond curl, a name or an address may end with a port, to which it is limited: `localhost:8080`, `[::1]:8080`.
/// An entry that is none of these matches nothing.
public struct ProxyExceptions: Sendable, Hashable {
  fileprivate struct Entry: Hashable {
    let host: String
    let port: Int?
  }

  private let text: String
  private let isEverything: Bool
  private var entries: [Entry]

  /// Creates exceptions from the text of `NO_PROXY`.
  public init(_ text: String) {
    self.text = text
    isEverything = text.trimmingCharacters(in: .whitespaces) == "*"
    entries = text.split { $0 == "," || $0.isWhitespace }.map { Entry($0) }
  }

  /// The exceptions without entries for a single port, which libcurl does not know.
  var withoutPorts: ProxyExceptions {
    var copy = self
    copy.entries.removeAll { $0.port != nil }
    return copy
  }

  /// Returns whether a server is reached without a proxy.
  ///
  /// - Parameters:
  ///   - host: A name or an IP address, with or without the brackets of an IPv6 address.
  ///   - port: The port.
  public func contains(host: String, port: Int) -> Bool {
    guard !isEverything else { return true }
    guard !entries.isEmpty else { return false }
    let host = Self.normalized(host[...])
    let address = Address(host)
    return entries.contains { entry in
      guard entry.port == nil || entry.port == port else { return false }
      guard let address else { return host == entry.host || host.hasSuffix(".\(entry.host)") }
      return address.isIn(entry.host)
    }
  }

  /// Returns a host in lowercase and in ASCII, without brackets and without a dot at its end.
  fileprivate static func normalized(_ host: Substring) -> String {
    let host = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host
    let name = host.hasSuffix(".") ? host.dropLast() : host
    return (HostEncoding.ascii(name) ?? String(name)).lowercased()
  }
}

extension ProxyExceptions.Entry {
  fileprivate init(_ text: Substring) {
    let colons = text.count { $0 == ":" }
    // An IPv6 address without brackets has colons, too.
    let mark = colons == 1 || text.hasPrefix("[") ? text.lastIndex(of: ":") : nil
    let digits = mark.map { text[text.index(after: $0)...] } ?? ""
    let hasPort = !digits.isEmpty && digits.allSatisfy { "0"..."9" ~= $0 }
    let host = ProxyExceptions.normalized(hasPort ? text[..<(mark ?? text.endIndex)] : text)
    self.init(
      host: host.hasPrefix(".") ? String(host.dropFirst()) : host,
      port: hasPort ? Int(digits) ?? -1 : nil)
  }
}

extension ProxyExceptions {
  /// An IP address.
  fileprivate struct Address {
    private let bytes: [UInt8]

    init?(_ text: some StringProtocol) {
      func parsed(_ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, String(text), &bytes) == 1 ? bytes : nil
      }
      guard let bytes = parsed(AF_INET, 4) ?? parsed(AF_INET6, 16) else { return nil }
      self.bytes = bytes
    }

    /// Returns whether this is an address, or in the network of an address with a prefix length.
    func isIn(_ text: String) -> Bool {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let network = Address(parts[0]), network.bytes.count == bytes.count else {
        return false
      }
      guard parts.count == 2 else { return network.bytes == bytes }
      guard let length = Int(parts[1]), 0...(bytes.count * 8) ~= length else { return false }
      return zip(bytes, network.bytes).enumerated().allSatisfy { index, pair in
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> min(max(length - index * 8, 0), 8))
        return pair.0 & mask == pair.1 & mask
      }
    }
  }
}

extension ProxyExceptions: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates exceptions from a literal, as in ``init(_:)``.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text.
  public var description: String { text }
}
