import Foundation
import NIOCore
import Synchronization
import Testing

/// Finds sockets of a server's connections that this process still holds, at either end.
final class SocketWatch: Sendable {
  private struct Ports {
    var server: Int?
    var clients: Set<Int> = []
  }

  private let ports = Mutex(Ports())

  /// Records a connection that a server has accepted.
  func note(_ channel: any Channel) {
    ports.withLock { ports in
      ports.server = channel.localAddress?.port ?? ports.server
      if let client = channel.remoteAddress?.port { ports.clients.insert(client) }
    }
  }

  /// Returns the open sockets.
  ///
  /// A socket of another test with the same port is open for a while on a loaded machine, so the check is repeated.
  func open() async throws -> [String] {
    var found: [String] = []
    for _ in 0..<2_000 {
      found = try list()
      if found.isEmpty { break }
      await Task.yield()
    }
    return found
  }

  #if os(Linux)
    /// Returns the number of this process's sockets that are connected to a port.
    static func connections(to server: Int) throws -> Int {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return descriptors.compactMap { Int32($0) }.count { port(of: $0, getpeername) == server }
    }

    private func list() throws -> [String] {
      let ports = ports.withLock { $0 }
      let server = try #require(ports.server)
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return descriptors.compactMap { Int32($0) }.compactMap { descriptor in
        guard let own = Self.port(of: descriptor, getsockname) else { return nil }
        // A socket whose connection was reset has no peer.
        let other = Self.port(of: descriptor, getpeername)
        let isOrphan = other == nil && ports.clients.contains(own) && !Self.listens(descriptor)
        let isOurs = own == server || other == server || isOrphan
        return isOurs ? "descriptor \(descriptor): \(own) to \(other ?? 0)" : nil
      }
    }

    private static func port(
      of descriptor: Int32,
      _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int? {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
      }
      guard result == 0, Int32(address.sin_family) == AF_INET else { return nil }
      return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func listens(_ descriptor: Int32) -> Bool {
      var response: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &response, &size)
      return response != 0
    }
  #else
    static func connections(to server: Int) throws -> Int { 0 }

    private func list() throws -> [String] { [] }
  #endif
}
