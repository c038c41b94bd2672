import CurlewFleet

extension FleetError {
  static let closed = FleetError.unreachable("Redis closed the connection.")
  static let cluster = FleetError.unsupported(
    "This is a server of Redis Cluster. A fleet needs one Redis or Valkey server, or its address behind a proxy."
  )
  static let sentinel = FleetError.unsupported(
    "This is Redis Sentinel. A fleet needs the address of the Redis or Valkey server itself, or of a proxy that follows it."
  )
  static let replica = FleetError.unsupported(
    "This is a read-only replica. A fleet needs the address of the primary server.")

  /// Creates an error from an error reply; only its first word is quoted, because Redis may repeat arguments.
  init(reply: String) {
    let code = String(reply.prefix { $0.isUppercase && $0.isASCII })
    self =
      switch code {
      case "NOAUTH", "NOPERM":
        .unauthorized("Redis refuses the user, the password or a command (\(code)).")
      case "WRONGPASS": .unauthorized("Redis refuses the user or the password.")
      case "OOM": .full("Redis has no memory left (maxmemory).")
      case "LOADING", "BUSY", "MASTERDOWN", "MISCONF", "TRYAGAIN", "NOREPLICAS":
        .notReady("Redis can't be used now (\(code)).")
      case "MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN": .cluster
      case "READONLY": .replica
      default:
        // Redis 6 wraps errors in scripts.
        if reply.contains("WRONGTYPE") || reply.contains("attempt to ") {
          // Or an error of Lua in a quota that is none.
          .malformed("A key of the fleet has a value of another type (WRONGTYPE).")
        } else if reply.contains("OOM command not allowed") {
          .full("Redis has no memory left (maxmemory).")
        } else if reply.contains("invalid password") || reply.contains("AUTH") {
          .unauthorized("Redis refuses the user or the password.")
        } else {
          .unsupported("Redis refuses a command (\(code)).")
        }
      }
  }
}
