import CurlewFleet
import Foundation

/// The address in a URL, with the user and the password.
struct RedisAddress: Sendable {
  /// The host; `nil` for a Unix socket.
  let host: String?
  let port: Int
  /// The path of a Unix socket.
  let path: String
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
    guard ["redis", "rediss", "unix"].contains(scheme), let parts = URLComponents(string: url),
      parts.scheme != nil
    else {
      throw .unsupported(
        "The address of Redis is not of the form redis://user:password@host:6379/0, rediss://… or unix:///path?db=0."
      )
    }
    guard 1...65_535 ~= parts.port ?? 6_379 else {
      throw .unsupported("The port in the address of Redis is not from 1 to 65535.")
    }
    guard (parts.queryItems ?? []).allSatisfy({ scheme == "unix" && $0.name == "db" }) else {
      throw .unsupported(
        "The query in the address of Redis is unknown; a database is redis://host/3 or unix:///path?db=3."
      )
    }
    isEncrypted = scheme == "rediss"
    (user, password) = (parts.user.flatMap { $0.isEmpty ? nil : $0 }, parts.password)
    (port, path) = (parts.port ?? 6_379, parts.path)
    let name = (parts.host ?? "").trimmingCharacters(in: ["[", "]"])
    host = scheme == "unix" ? nil : name.isEmpty ? "127.0.0.1" : name
    let number =
      scheme == "unix"
      ? parts.queryItems?.first { $0.name == "db" }?.value ?? "0" : String(path.dropFirst())
    guard let database = Int(number.isEmpty ? "0" : number), database >= 0 else {
      throw .unsupported("The database in the address of Redis is not a number.")
    }
    self.database = database
  }
}
