/// The values of `server.address` and `server.port`.
struct Server: Hashable {
  /// The host, without the brackets of an IPv6 address.
  let address: String
  /// The port; the scheme's default if the URL has none.
  let port: Int

  init(scheme: String, authority: String) {
    // Without user and password.
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let colon = host.lastIndex(of: ":").flatMap { host[$0...].contains("]") ? nil : $0 }
    let name = host[..<(colon ?? host.endIndex)]
    address = String(
      name.hasPrefix("[") && name.hasSuffix("]") ? name.dropFirst().dropLast() : name)
    port =
      colon.flatMap { Int(host[host.index(after: $0)...]) } ?? (scheme == "https" ? 443 : 80)
  }
}
