import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP/1.1 server on loopback that does to each request what a test says, wrong things too.
final class TestServer: Sendable {
  typealias Handler = @Sendable (Exchange) async throws -> Void

  private struct State {
    var port = 0
    var requests: [ServerRequest] = []
    var connections: [Task<Void, Never>] = []
  }

  private let handler: Handler
  private let state = Mutex(State())

  fileprivate init(_ handler: @escaping Handler) {
    self.handler = handler
  }

  /// The requests that came so far.
  var requests: [ServerRequest] { state.withLock { $0.requests } }
  /// How many connections were made so far.
  var connections: Int { state.withLock { $0.connections.count } }
  /// The port that it listens on.
  var port: Int { state.withLock { $0.port } }
  /// Scheme and authority.
  var origin: String { "http://127.0.0.1:\(port)" }

  fileprivate func start() async throws -> any Channel {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    return listener
  }

  /// Serves a connection in a task that begins here: one that nobody served would abort the process.
  private func accept(_ channel: any Channel) throws {
    let connection = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
      wrappingChannelSynchronously: channel)
    state.withLock { state in
      let number = state.connections.count
      state.connections.append(
        Task {
          // What goes wrong on a connection is the test's matter, which sees it at the client.
          try? await self.serve(connection, number: number)
        })
    }
  }

  private func serve(
    _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, number: Int
  ) async throws {
    let channel = connection.channel
    try await withTaskCancellationHandler {
      try await connection.executeThenClose { inbound, outbound in
        var reader = ServerRequestReader(inbound)
        while let request = try await reader.next() {
          state.withLock { $0.requests.append(request) }
          try await handler(
            Exchange(request: request, connection: number, channel: channel, outbound: outbound))
        }
      }
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  fileprivate func stop(_ listener: any Channel) async {
    try? await listener.close()
    let connections = state.withLock { $0.connections }
    for connection in connections { connection.cancel() }
    for connection in connections { await connection.value }
  }
}

/// Runs a test against a server that lives as long as the test does.
func withServer<Value>(
  _ handler: @escaping TestServer.Handler, _ test: (TestServer) async throws -> Value
) async throws -> Value {
  let server = TestServer(handler)
  let listener = try await server.start()
  let result: Result<Value, any Error>
  do {
    result = .success(try await test(server))
  } catch {
    result = .failure(error)
  }
  await server.stop(listener)
  return try result.get()
}
