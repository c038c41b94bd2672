import CurlewFleet
import Foundation

/// The address in a URL, with the user and the password.
struct RedisAddress: Sendable {
  enum Server: Sendable {
    case host(String, port: Int)
    case socket(path: String)
  }

  let server: Server
  let isEncrypted: Bool
  let user: String?
  let password: String?
  let database: Int

  /// Parses `redis://user:password@host:port/database`, `rediss://` for TLS, or `unix://user:password@/path?db=database`.
  init(_ url: String) throws(FleetError) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard !scheme.contains("sentinel") else { throw .sentinel }
    let hosts = url.split(separator: "/").dropFirst().first?.split(separator: "@").last ?? ""
    guard !scheme.contains("cluster"), scheme == "unix" || !hosts.contains(",") else {
      throw .cluster
    }
    guard let parts = URLComponents(string: url),
      ["redis", "rediss", "unix"].contains(parts.scheme?.lowercased())
    else {
      throw .unsupported(
        "The address of Redis is not of the form redis://user:password@host:6379/0, rediss://… or unix:///path?db=0."
      )
    }
    isEncrypted = scheme == "rediss"
    user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
    password = parts.password
    let number: String?
    if scheme == "unix" {
      server = .socket(path: parts.path)
      number = parts.queryItems?.first { $0.name == "db" }?.value
    } else {
      let host = parts.host.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }
      server = .host(
        host.flatMap { $0.isEmpty ? nil : $0 } ?? "127.0.0.1", port: parts.port ?? 6_379)
      number = parts.path.isEmpty || parts.path == "/" ? nil : String(parts.path.dropFirst())
    }
    guard let database = Int(number ?? "0"), database >= 0 else {
      throw .unsupported("The database in the address of Redis is not a number.")
    }
    self.database = database
  }
}
