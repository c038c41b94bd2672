#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Network namespaces for servers, each with a link to Redis and the other servers, and one to nginx; needs root and Linux.
  struct ClusterNetwork {
    /// The address of Redis.
    let host = "10.77.0.1"

    private let name = "c\(ProcessInfo.processInfo.processIdentifier)"
    private let count: Int

    init(_ count: Int) async throws {
      self.count = count
      do {
        try await ip("link add \(name) type bridge")
        try await ip("addr add \(host)/24 dev \(name)")
        try await ip("link set \(name) up")
        for index in 0..<count { try await add(index) }
      } catch {
        await remove()
        throw error
      }
    }

    private func add(_ index: Int) async throws {
      let own = "\(name)-\(index)"
      try await ip("netns add \(own)")
      try await ip("-n \(own) link set lo up")
      for (kind, address) in [("p", address(index)), ("w", webAddress(index))] {
        try await ip("link add \(name)\(kind)\(index) type veth peer name \(kind) netns \(own)")
        try await ip("-n \(own) addr add \(address)/24 dev \(kind)")
        try await ip("-n \(own) link set \(kind) up")
        try await ip("link set \(name)\(kind)\(index) up")
      }
      try await ip("link set \(name)p\(index) master \(name)")
      try await ip("addr add 10.78.\(index).1/24 dev \(name)w\(index)")
    }

    /// The address of a server for the others.
    func address(_ index: Int) -> String { "10.77.0.\(10 + index)" }

    /// The address of a server for nginx.
    func webAddress(_ index: Int) -> String { "10.78.\(index).2" }

    /// The beginning of a command that runs in a server's namespace.
    func command(_ index: Int) -> [String] {
      ["/usr/bin/env", "ip", "netns", "exec", "\(name)-\(index)"]
    }

    /// Cuts a server off Redis and the other servers, or heals it.
    func cut(_ index: Int, _ isCut: Bool = true) async throws {
      try await ip("link set \(name)p\(index) \(isCut ? "down" : "up")")
    }

    func remove() async {
      for index in 0..<count {
        for kind in ["p", "w"] { try? await ip("link del \(name)\(kind)\(index)") }
        try? await ip("netns del \(name)-\(index)")
      }
      try? await ip("link del \(name)")
    }

    private func ip(_ arguments: String) async throws {
      let end = try await Process.run(["ip"] + arguments.split(separator: " ").map(String.init)).end
      try #require(end == .success, "ip \(arguments)")
    }
  }
#endif
