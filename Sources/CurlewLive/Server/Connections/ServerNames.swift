package import NIOHTTP1

/// The host names under which a server is reached.
///
/// Without this check, another site's name could resolve to this server's address, and browsers
/// would treat the server as the same origin (DNS rebinding).
package struct ServerNames: Sendable {
  /// The reason why a request is refused.
  package enum Failure: Equatable {
    /// The request's host is missing, malformed or contradictory (RFC 9112 section 3.2).
    case malformed
    /// The request is for another server (RFC 9110 section 15.5.20).
    case misdirected

    var status: HTTPResponseStatus { self == .malformed ? .badRequest : .misdirectedRequest }

    var text: String {
      switch self {
      case .malformed: "The request's Host field is missing or malformed, or not its target.\n"
      case .misdirected: "This server does not serve the host in the request's Host field.\n"
      }
    }
  }

  /// The accepted names; `nil` for any name.
  private let names: Set<HostName>?

  /// - Parameter names: The names, without ports, and IPv6 addresses with or without brackets;
  ///   `nil` for any name.
  package init(_ names: [String]?) {
    self.names = names.map { Set($0.compactMap { HostName($0) ?? HostName("[\($0)]") }) }
  }

  /// Returns the reason to refuse a request; `nil` if it is for this server.
  package func refusal(of head: HTTPRequestHead) -> Failure? {
    let authorities = head.authorities
    guard authorities.allSatisfy({ $0 != nil && $0 == authorities[0] }) else { return .malformed }
    guard let names else { return nil }
    guard let authority = authorities.first ?? nil, names.contains(authority.host) else {
      return .misdirected
    }
    return nil
  }
}

extension HTTPRequestHead {
  /// The authorities of a request: from its Host field, and from its target if the target has an
  /// authority; `nil` for an authority that is malformed, missing or superfluous.
  fileprivate var authorities: [Authority?] {
    let fields = headers["Host"]
    var authorities = fields.map { Authority($0) }
    let isRequired = (version.major, version.minor) >= (1, 1)
    if fields.isEmpty ? isRequired : fields.count > 1 { authorities.append(nil) }
    if !uri.hasPrefix("/"), uri != "*" { authorities.append(Authority(targetAuthority)) }
    return authorities
  }

  /// The authority of a target in absolute form or in authority form (`CONNECT`, RFC 9112 section
  /// 3.2); empty for other targets.
  private var targetAuthority: Substring {
    if method == .CONNECT { return uri[...] }
    let start = uri.prefix(8).lowercased()
    guard let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) else {
      return ""
    }
    return uri.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
  }
}
