import CurlewFleet
import CurlewSupport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Keeps a connection to Redis open, for commands or for news, and replaces it when it is lost.
final class RedisConnector: Sendable {
  enum Event: Sendable {
    case connected
    case message([UInt8])
    case lost(FleetError)
  }

  private typealias Attempt = Task<Result<any Channel, FleetError>, Never>

  private struct State {
    var attempt: Attempt?
    /// Why there is no connection until the next attempt.
    var lost: FleetError?
    /// Why there are no news; then there are no commands either, so that a fleet is connected as a whole.
    var newsLost: FleetError?
    var task: Task<Void, Never>?
  }

  private let address: RedisAddress
  private let tls: TLSConfiguration
  private let timeLimit: TimeAmount
  private let clock: RelativeClock
  private let news: String?
  private let onEvent: @Sendable (Event) -> Void
  private let state = Mutex(State())

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - tls: The certificates.
  ///   - timeLimit: The time limit of each command, after which the connection is closed.
  ///   - clock: The clock for pauses between attempts to connect.
  ///   - news: The name of the channel to subscribe to; `nil` for a connection for commands.
  ///   - onEvent: Called with each event.
  init(
    _ address: RedisAddress, tls: TLSConfiguration, timeLimit: Duration, clock: RelativeClock,
    news: String? = nil, onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    (self.address, self.tls, self.timeLimit) = (address, tls, TimeAmount(timeLimit))
    (self.clock, self.news, self.onEvent) = (clock, news, onEvent)
    let first = attempt()
    let task = Task { await keepConnected(first) }
    state.withLock { $0.task = task }
  }

  func close() { state.withLock { $0.task }?.cancel() }

  /// Lets commands fail while there are no news.
  func setNewsLost(_ error: FleetError?) { state.withLock { $0.newsLost = error } }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: The command's name and its first arguments.
  ///   - bytes: The last arguments.
  func run(
    _ arguments: [String], _ bytes: [[UInt8]] = []
  ) async throws(FleetError) -> RedisReply {
    let (attempt, lost) = state.withLock { ($0.attempt, $0.newsLost ?? $0.lost) }
    guard let attempt, lost == nil else { throw lost ?? .closed }
    return try await attempt.value.get().run(arguments, bytes)
  }

  private func attempt() -> Attempt {
    let attempt = Task { () -> Result<any Channel, FleetError> in
      do throws(FleetError) { return .success(try await connect()) } catch {
        return .failure(error)
      }
    }
    state.withLock { ($0.attempt, $0.lost) = (attempt, nil) }
    return attempt
  }

  /// Connects again after each loss, until the task is cancelled.
  private func keepConnected(_ first: Attempt) async {
    var (attempt, failures) = (first, 0)
    while true {
      var error = FleetError.closed
      failures += 1
      switch await attempt.value {
      case .success(let channel):
        onEvent(.connected)
        let start = clock.now
        await withTaskCancellationHandler {
          try? await channel.closeFuture.get()
        } onCancel: {
          channel.close(promise: nil)
        }
        if clock.now - start > .seconds(1) { failures = 0 }
      case .failure(let failure): error = failure
      }
      state.withLock { $0.lost = error }
      guard !Task.isCancelled else { return }
      onEvent(.lost(error))
      // At once, or from 50 ms to 2 s, at random so that servers don't connect together.
      let pause = min(.milliseconds(25) * (1 << min(failures, 10)), .seconds(2))
      if failures > 0 {
        try? await clock.sleep(until: clock.now + pause * Double.random(in: 0.5...1))
      }
      attempt = self.attempt()
    }
  }

  /// Opens a connection, signs in, and subscribes.
  private func connect() async throws(FleetError) -> any Channel {
    let channel: any Channel
    do {
      let context = address.isEncrypted ? try NIOSSLContext(configuration: tls) : nil
      let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeLimit)
        .channelInitializer { [host = address.host, timeLimit, onEvent] channel in
          channel.eventLoop.makeCompletedFuture {
            if let context {
              // A certificate for an address can't be named in the handshake.
              let named = try? NIOSSLClientHandler(context: context, serverHostname: host)
              try channel.pipeline.syncOperations.addHandler(
                named ?? NIOSSLClientHandler(context: context, serverHostname: nil))
            }
            try channel.pipeline.syncOperations.addHandler(
              RedisHandler(timeLimit: timeLimit) { onEvent(.message($0)) })
          }
        }
      channel =
        if let host = address.host {
          try await bootstrap.connect(host: host, port: address.port).get()
        } else { try await bootstrap.connect(unixDomainSocketPath: address.path).get() }
    } catch {
      throw .unreachable("Redis can't be reached: \(error).")
    }
    do throws(FleetError) {
      try await signIn(channel)
      if let news { _ = try await channel.run(["SUBSCRIBE", news]) }
      return channel
    } catch {
      channel.close(promise: nil)
      throw error
    }
  }

  private func signIn(_ channel: any Channel) async throws(FleetError) {
    if let password = address.password {
      _ = try await channel.run(["AUTH"] + (address.user.map { [$0] } ?? []) + [password])
    }
    if address.database > 0 { _ = try await channel.run(["SELECT", String(address.database)]) }
    // A user without the permission for this question may have all others.
    let role = try? await channel.run(["ROLE"])
    switch role?.elements.first?.text {
    case "sentinel": throw .sentinel
    case "slave": throw .replica
    default: break
    }
    // A connection that is dead without a sign shows by its time limit; Redis closes connections without commands.
    let ping = channel.eventLoop.scheduleRepeatedTask(
      initialDelay: .seconds(10), delay: .seconds(10)
    ) { _ in
      _ = channel.reply(to: [Array("PING".utf8)])
    }
    channel.closeFuture.whenComplete { _ in ping.cancel() }
  }
}

extension Channel {
  fileprivate func run(
    _ arguments: [String], _ bytes: [[UInt8]] = []
  ) async throws(FleetError) -> RedisReply {
    let reply: RedisReply
    do {
      reply = try await self.reply(to: arguments.map { Array($0.utf8) } + bytes).get()
    } catch {
      throw error as? FleetError ?? .closed
    }
    if case .error(let text) = reply { throw FleetError(reply: text) }
    return reply
  }

  fileprivate func reply(to command: [[UInt8]]) -> EventLoopFuture<RedisReply> {
    let promise = eventLoop.makePromise(of: RedisReply.self)
    // A closed channel has no handler any more, which would end the command.
    writeAndFlush(RedisCommand(command, promise)).whenFailure { promise.fail($0) }
    return promise.futureResult
  }
}
