import CurlewFleet
import CurlewSupport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Opens connections to Redis, and replaces the commands' connection when it is lost.
final class RedisConnector: Sendable {
  enum Event: Sendable {
    case connected
    case message([UInt8])
    case lost(FleetError)
  }

  private typealias Attempt = Task<Result<any Channel, FleetError>, Never>

  private struct State {
    var channel: (any Channel)?
    var attempt: Attempt?
    /// The last failure, and the time until which it is not tried again.
    var failure: (error: FleetError, count: Int, until: Duration)?
    /// Why there is no subscription; then there are no commands either, so that a fleet is connected as a whole.
    var lost: FleetError?
    var isClosed = false
  }

  private let address: RedisAddress
  private let tls: TLSConfiguration
  private let timeLimit: TimeAmount
  private let clock: RelativeClock
  private let state = Mutex(State())

  init(address: RedisAddress, tls: TLSConfiguration, timeLimit: Duration, clock: RelativeClock) {
    (self.address, self.tls, self.clock) = (address, tls, clock)
    self.timeLimit = TimeAmount(timeLimit)
  }

  func close() {
    let channel = state.withLock { state -> (any Channel)? in
      state.isClosed = true
      return state.channel
    }
    channel?.close(promise: nil)
  }

  /// Runs a command.
  ///
  /// - Parameter script: The command to run if the server does not know the first one's script.
  func run(
    _ arguments: [[UInt8]], insteadOfMissing script: [[UInt8]]? = nil
  ) async throws(FleetError) -> RedisReply {
    if let lost = state.withLock({ $0.lost }) { throw lost }
    let channel = try await channel()
    let reply = try await Self.send(arguments, on: channel)
    guard case .error(let text) = reply else { return reply }
    guard let script, text.hasPrefix("NOSCRIPT") else { throw FleetError(reply: text) }
    let second = try await Self.send(script, on: channel)
    if case .error(let text) = second { throw FleetError(reply: text) }
    return second
  }

  /// Subscribes until the task is cancelled, again after each loss.
  func subscribe(
    to name: String, _ onEvent: @escaping @Sendable (Event) -> Void
  ) async {
    var failures = 0
    while !Task.isCancelled {
      var error = FleetError.unreachable("Redis closed the connection.")
      do throws(FleetError) {
        let channel = try await connect { onEvent(.message($0)) }
        do throws(FleetError) {
          let reply = try await Self.send([Array("SUBSCRIBE".utf8), Array(name.utf8)], on: channel)
          if case .error(let text) = reply { throw FleetError(reply: text) }
          failures = 0
          state.withLock { $0.lost = nil }
          onEvent(.connected)
          // A connection that is dead without a sign shows by its time limit.
          let ping = channel.eventLoop.scheduleRepeatedTask(
            initialDelay: .seconds(10), delay: .seconds(10)
          ) { _ in
            let promise = channel.eventLoop.makePromise(of: RedisReply.self)
            channel.writeAndFlush(
              RedisCommand(bytes: redisCommand([Array("PING".utf8)]), promise: promise),
              promise: nil)
          }
          await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
          } onCancel: {
            channel.close(promise: nil)
          }
          ping.cancel()
        } catch let failure {
          channel.close(promise: nil)
          throw failure
        }
      } catch let failure { error = failure }
      guard !Task.isCancelled else { return }
      state.withLock { $0.lost = error }
      onEvent(.lost(error))
      failures += 1
      try? await clock.sleep(until: clock.now + Self.pause(after: failures))
    }
  }

  /// Returns the pause before the next attempt: from 50 ms to 2 s, at random so that servers don't connect together.
  private static func pause(after failures: Int) -> Duration {
    min(.milliseconds(50) * (1 << min(failures - 1, 10)), .seconds(2)) * Double.random(in: 0.5...1)
  }

  /// Returns the connection for commands.
  private func channel() async throws(FleetError) -> any Channel {
    let now = clock.now
    let attempt = try state.withLock { state throws(FleetError) -> Attempt in
      if let channel = state.channel, channel.isActive {
        return Task { .success(channel) }
      }
      if let attempt = state.attempt { return attempt }
      if state.isClosed { throw .unreachable("The engine is closed.") }
      if let failure = state.failure, failure.until > now { throw failure.error }
      let attempt = Task { await self.replaceChannel() }
      state.attempt = attempt
      return attempt
    }
    return try await attempt.value.get()
  }

  private func replaceChannel() async -> Result<any Channel, FleetError> {
    let result: Result<any Channel, FleetError>
    do throws(FleetError) {
      result = .success(try await connect { _ in })
    } catch {
      result = .failure(error)
    }
    let now = clock.now
    let isClosed = state.withLock { state in
      state.attempt = nil
      switch result {
      case .success(let channel): (state.channel, state.failure) = (channel, nil)
      case .failure(let error):
        let count = (state.failure?.count ?? 0) + 1
        state.failure = (error, count, now + Self.pause(after: count))
      }
      return state.isClosed
    }
    if isClosed { close() }
    return result
  }

  /// Opens a connection, and signs in.
  private func connect(
    _ onMessage: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(FleetError) -> any Channel {
    let channel: any Channel
    do {
      let context = address.isEncrypted ? try NIOSSLContext(configuration: tls) : nil
      let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeLimit)
        .channelInitializer { [address, timeLimit] channel in
          channel.eventLoop.makeCompletedFuture {
            if let context {
              try channel.pipeline.syncOperations.addHandler(address.handler(context))
            }
            try channel.pipeline.syncOperations.addHandler(
              RedisHandler(timeLimit: timeLimit, onMessage: onMessage))
          }
        }
      switch address.server {
      case .host(let host, let port):
        channel = try await bootstrap.connect(host: host, port: port).get()
      case .socket(let path):
        channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
      }
    } catch {
      throw .unreachable("Redis can't be reached: \(error).")
    }
    do throws(FleetError) {
      try await signIn(channel)
      return channel
    } catch {
      channel.close(promise: nil)
      throw error
    }
  }

  private func signIn(_ channel: any Channel) async throws(FleetError) {
    var commands: [[String]] = []
    if let password = address.password {
      commands.append(["AUTH"] + (address.user.map { [$0] } ?? []) + [password])
    }
    if address.database > 0 { commands.append(["SELECT", String(address.database)]) }
    for command in commands {
      let reply = try await Self.send(command.map { Array($0.utf8) }, on: channel)
      if case .error(let text) = reply {
        throw command[0] == "SELECT"
          ? FleetError(reply: text)
          : .unauthorized("Redis refuses the user or the password.")
      }
    }
    let role = try await Self.send([Array("ROLE".utf8)], on: channel)
    switch (role, role.elements.first?.text) {
    case (_, "sentinel"): throw .sentinel
    case (_, "slave"): throw .replica
    // A user without the permission for this question may have all others.
    case (.error(let text), _) where !text.hasPrefix("NOPERM") && !text.hasPrefix("ERR"):
      throw FleetError(reply: text)
    default: break
    }
  }

  private static func send(
    _ arguments: [[UInt8]], on channel: any Channel
  ) async throws(FleetError) -> RedisReply {
    let promise = channel.eventLoop.makePromise(of: RedisReply.self)
    let written = channel.eventLoop.makePromise(of: Void.self)
    // A closed channel has no handler any more, which would end the command.
    written.futureResult.whenFailure { _ in
      promise.fail(FleetError.unreachable("The connection to Redis is closed."))
    }
    channel.writeAndFlush(
      RedisCommand(bytes: redisCommand(arguments), promise: promise), promise: written)
    do {
      return try await promise.futureResult.get()
    } catch {
      throw error as? FleetError ?? .unreachable("The connection to Redis failed.")
    }
  }
}

extension RedisAddress {
  fileprivate func handler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
    guard case .host(let host, _) = server else {
      return try NIOSSLClientHandler(context: context, serverHostname: nil)
    }
    // A certificate for an address can't be named in the handshake.
    return
      try (try? NIOSSLClientHandler(context: context, serverHostname: host))
      ?? NIOSSLClientHandler(context: context, serverHostname: nil)
  }
}
