import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP/1.1 server on loopback that does to each request what a test says, wrong things too.
final class TestServer: Sendable {
  typealias Handler = @Sendable (Exchange) async throws -> Void
  fileprivate typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  let port: Int
  private let handler: Handler
  private let log = Mutex((requests: [ServerRequest](), connections: 0))

  /// The requests that came so far.
  var requests: [ServerRequest] { log.withLock { $0.requests } }
  /// How many connections were made so far.
  var connections: Int { log.withLock { $0.connections } }
  /// Scheme and authority.
  var origin: String { "http://127.0.0.1:\(port)" }

  fileprivate init(port: Int, _ handler: @escaping Handler) {
    self.port = port
    self.handler = handler
  }

  fileprivate func serve(_ connection: Connection) async throws {
    let number = log.withLock { log in
      defer { log.connections += 1 }
      return log.connections
    }
    let channel = connection.channel
    try await withTaskCancellationHandler {
      try await connection.executeThenClose { inbound, outbound in
        var reader = ServerRequestReader(inbound)
        while let request = try await reader.next() {
          log.withLock { $0.requests.append(request) }
          try await handler(
            Exchange(request: request, connection: number, channel: channel, outbound: outbound))
        }
      }
    } onCancel: {
      channel.close(promise: nil)
    }
  }
}

/// Runs a test against a server that lives as long as the test does.
func withServer<Value>(
  _ handler: @escaping TestServer.Handler, _ test: (TestServer) async throws -> Value
) async throws -> Value {
  let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .serverChannelOption(.backlog, value: 256)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .bind(host: "127.0.0.1", port: 0) { channel in
      channel.eventLoop.makeCompletedFuture {
        try TestServer.Connection(wrappingChannelSynchronously: channel)
      }
    }
  let server = TestServer(port: listener.channel.localAddress?.port ?? 0, handler)
  let serving = Task {
    try await listener.executeThenClose { connections in
      await withDiscardingTaskGroup { group in
        do {
          for try await connection in connections {
            // What goes wrong on a connection is the test's matter, which sees it at the client.
            group.addTask { try? await server.serve(connection) }
          }
        } catch {}
        group.cancelAll()
      }
    }
  }
  let result: Result<Value, any Error>
  do {
    result = .success(try await test(server))
  } catch {
    result = .failure(error)
  }
  serving.cancel()
  _ = await serving.result
  return try result.get()
}
