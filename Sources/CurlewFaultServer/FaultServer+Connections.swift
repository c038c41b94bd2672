import Curlew
import CurlewTesting
package import NIOCore
import NIOPosix
import Synchronization
public import Testing

/// Starts a server, runs a test with it and stops it.
///
/// When this function returns, all connections are closed and all tasks of the server have ended.
///
/// - Parameters:
///   - clock: The clock for pauses, delays and slow responses.
///   - sourceLocation: The location at which requests that no stub matches are reported.
///   - test: The closure that uses the server.
/// - Throws: Any error that the test throws.
public func withFaultServer<Value>(
  clock: any Clock<Duration> = ContinuousClock(),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ test: (FaultServer) async throws -> Value
) async throws -> Value {
  try await withFaultServer(
    clock: clock, sourceLocation: sourceLocation, prepare: { _ in }, test)
}

/// Runs a test with a server that first prepares each connection, for example with a TLS handler.
package func withFaultServer<Value>(
  clock: any Clock<Duration> = ContinuousClock(),
  sourceLocation: SourceLocation = #_sourceLocation,
  prepare: @escaping @Sendable (any Channel) throws -> Void,
  _ test: (FaultServer) async throws -> Value
) async throws -> Value {
  let server = FaultServer(clock: clock)
  let listener = try await server.start(prepare)
  let result: Result<Value, any Error>
  do {
    result = .success(try await test(server))
  } catch {
    result = .failure(error)
  }
  await server.stop(listener)
  for message in server.state.withLock({ $0.messages }) {
    failTest(message, sourceLocation: sourceLocation)
  }
  return try result.get()
}

extension FaultServer {
  fileprivate func start(
    _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> any Channel {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1024)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try prepare(channel)
          try self.accept(channel)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = listener.localAddress?.port ?? 0
    let baseURL = try BaseURL("http://127.0.0.1:\(port)")
    state.withLock { ($0.port, $0.baseURL) = (port, baseURL) }
    return listener
  }

  private struct Stopped: Error {}

  /// Starts the task that serves a connection; NIO aborts the process over a `NIOAsyncChannel` that
  /// is released unused.
  private func accept(_ channel: any Channel) throws {
    let number = try state.withLock { state in
      guard !state.isStopped else { throw Stopped() }
      let connection = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
        wrappingChannelSynchronously: channel)
      let number = state.connections.count
      state.connections.append(Connection(number: number))
      let task = Task { await self.serve(connection, number: number) }
      state.tasks.append(task)
      // A response that waits for a clock or a gate must not outlive its connection.
      channel.closeFuture.whenComplete { _ in task.cancel() }
      return number
    }
    channel.closeFuture.whenComplete { _ in self.recordClosed(number) }
  }

  private func serve(
    _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, number: Int
  ) async {
    let channel = connection.channel
    await withTaskCancellationHandler {
      // Errors on a connection are ignored here: the test sees them at the client.
      try? await connection.executeThenClose { inbound, _ in
        var reader = WireRequestReader(inbound, channel, connection: number)
        do {
          while let request = try await reader.next() {
            try await respond(to: Exchange(request: request, channel: channel, server: self))
          }
        } catch is WireRequestReader.Malformed {
          try await channel.writeAndFlush(ByteBuffer(string: Self.badRequest)).get()
          recordClosing(of: number)
        }
      }
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  private static let badRequest =
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

  private func respond(to exchange: Exchange) async throws {
    let reaction = reaction(to: exchange.request)
    arrivals.increment()
    defer { responses.increment() }
    do {
      switch reaction {
      case .response(let response)?: try await exchange.respond(with: response)
      case .handler(let handler)?: try await handler(exchange)
      case nil: try await exchange.respond(501, [], "No stub matches this request.\n")
      }
    } catch {
      // Any other error is treated like an unreachable server, without a response.
      if !Task.isCancelled, exchange.channel.isActive { try await exchange.reset() }
      throw error
    }
    if !exchange.request.keepsAlive { try await exchange.close() }
  }

  fileprivate func stop(_ listener: any Channel) async {
    try? await listener.close()
    let tasks = state.withLock { state in
      state.isStopped = true
      for number in state.connections.indices where state.connections[number].isOpen {
        state.connections[number].closer = .server
      }
      return state.tasks
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    await waitForClosedConnections(connections.count)
  }
}
