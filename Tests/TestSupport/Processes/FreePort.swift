#if os(macOS) || os(Linux)
  import Foundation

  /// Returns a port on loopback that nothing listens on, for a program that can't choose a free port itself.
  ///
  /// It is outside of the range from which systems choose ports (32,768 and above on Linux, 49,152 on macOS): between
  /// this call and the program's start, a connection or another server could get a port of that range.
  public func freePort() -> Int {
    while true {
      let port = Int.random(in: 20_000..<32_000)
      #if canImport(Glibc)
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let socket = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      defer { close(socket) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let result = withUnsafeBytes(of: address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) {
          bind(socket, $0.baseAddress, socklen_t(bytes.count))
        }
      }
      if result == 0 { return port }
    }
  }
#endif
