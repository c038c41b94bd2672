import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP proxy on loopback: it makes tunnels (`CONNECT`), and forwards requests with a whole URL.
final class TestProxy: Sendable {
  /// A request as the proxy received it.
  struct Request: Sendable, Hashable {
    let line: String
    let fields: [String]
    /// The number of its connection, from 0.
    let connection: Int

    func value(of name: String) -> String? {
      fields.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }
  }

  private struct State {
    var port = 0
    var connections = 0
    var requests: [Request] = []
    var tasks: [Task<Void, Never>] = []
  }

  /// The accepted value of `Proxy-Authorization`; `nil` for any.
  private let authorization: String?
  /// The status of all tunnels.
  private let tunnelStatus: String
  private let state = Mutex(State())

  init(authorization: String? = nil, tunnelStatus: String = "200 Connection established") {
    (self.authorization, self.tunnelStatus) = (authorization, tunnelStatus)
  }

  var port: Int { state.withLock { $0.port } }
  var requests: [Request] { state.withLock { $0.requests } }
  var lines: [String] { requests.map(\.line) }

  fileprivate func start() async throws -> any Channel {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    return listener
  }

  private func accept(_ channel: any Channel) throws {
    let client = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
    state.withLock { state in
      let number = state.connections
      state.connections += 1
      state.tasks.append(
        Task {
          await withTaskCancellationHandler {
            // The test checks the client's result.
            try? await self.serve(client, number)
          } onCancel: {
            channel.close(promise: nil)
          }
        })
    }
  }

  fileprivate func stop(_ listener: any Channel) async {
    try? await listener.close()
    let tasks = state.withLock { $0.tasks }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func serve(_ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ number: Int) async throws
  {
    try await client.executeThenClose { inbound, outbound in
      var input = ProxyInput(inbound.makeAsyncIterator())
      while let head = try await input.head() {
        let request = Request(line: head[0], fields: Array(head.dropFirst()), connection: number)
        state.withLock { $0.requests.append(request) }
        let sent = request.value(of: "Proxy-Authorization")
        guard authorization == nil || sent == authorization else {
          // A proxy may quote credentials.
          let body = "no: \(sent ?? "none")"
          try await outbound.write(
            ByteBuffer(
              string: "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"birds\"\r\n"
                + "X-Quoted: \(sent ?? "none")\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            ))
          continue
        }
        if request.line.hasPrefix("CONNECT ") {
          try await tunnel(request, client.channel, &input, outbound)
          return
        }
        try await forward(request, &input, outbound)
      }
    }
  }

  private func connect(
    _ authority: Substring
  ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    let mark = authority.lastIndex(of: ":") ?? authority.endIndex
    return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: String(authority[..<mark]), port: Int(authority[mark...].dropFirst()) ?? 80) {
        channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }

  private func tunnel(
    _ request: Request, _ channel: any Channel, _ input: inout ProxyInput,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws {
    try await outbound.write(ByteBuffer(string: "HTTP/1.1 \(tunnelStatus)\r\n\r\n"))
    guard tunnelStatus.hasPrefix("2") else { return }
    try await connect(request.line.split(separator: " ")[1]).executeThenClose { inbound, server in
      let down = Task {
        for try await bytes in inbound { try await outbound.write(bytes) }
        try await channel.close()
      }
      while let bytes = try await input.next() { try await server.write(bytes) }
      server.finish()
      try await down.value
    }
  }

  private func forward(
    _ request: Request, _ input: inout ProxyInput,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws {
    let parts = request.line.split(separator: " ")
    let rest = parts[1].dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" }
    let fields = request.fields.filter { !$0.lowercased().hasPrefix("proxy-") }
    let head =
      ["\(parts[0]) \(rest[authority.endIndex...]) HTTP/1.1"] + fields + ["Connection: close"]
    let body = try await input.bytes(Int(request.value(of: "Content-Length") ?? "0") ?? 0)
    try await connect(authority).executeThenClose { inbound, server in
      // In one write: the server may have responded to the head, and closed the connection, before a second one.
      let text = head.joined(separator: "\r\n") + "\r\n\r\n"
      try await server.write(ByteBuffer(bytes: Data(text.utf8) + body))
      for try await bytes in inbound { try await outbound.write(bytes) }
    }
  }
}

/// The bytes of a connection to a proxy.
private struct ProxyInput {
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var unread = Data()

  init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.inbound = inbound }

  /// Returns the lines of the next head; `nil` at the end.
  mutating func head() async throws -> [String]? {
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let range = unread.range(of: end) {
        let text = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread = Data(unread[range.upperBound...])
        return text.components(separatedBy: "\r\n")
      }
      guard try await readMore() else { return nil }
    }
  }

  mutating func bytes(_ count: Int) async throws -> Data {
    while unread.count < count, try await readMore() {}
    defer { unread = Data(unread.dropFirst(count)) }
    return Data(unread.prefix(count))
  }

  mutating func next() async throws -> ByteBuffer? {
    if unread.isEmpty, !(try await readMore()) { return nil }
    defer { unread = Data() }
    return ByteBuffer(bytes: unread)
  }

  private mutating func readMore() async throws -> Bool {
    guard let buffer = try await inbound.next(isolation: #isolation) else { return false }
    unread.append(contentsOf: buffer.readableBytesView)
    return true
  }
}

/// Runs a test with a proxy, and stops it.
func withProxy<Value>(
  _ proxy: TestProxy = TestProxy(), _ test: (TestProxy) async throws -> Value
) async throws -> Value {
  let listener = try await proxy.start()
  let result: Result<Value, any Error>
  do {
    result = .success(try await test(proxy))
  } catch {
    result = .failure(error)
  }
  await proxy.stop(listener)
  return try result.get()
}
