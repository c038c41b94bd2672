import CurlewFleet
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Keeps a connection to Redis open, for commands or for news, and replaces it when it is lost.
final class RedisConnector: Sendable {
  /// A channel of news, and the event in a message; `nil` for a message of another fleet.
  typealias News = (channel: String, event: @Sendable (_ message: [UInt8]) -> FleetEngineEvent?)

  private typealias Attempt = Task<any Channel, any Error>

  private struct State {
    /// The last attempt to connect, whose failure is that of all commands until the next attempt.
    var attempt: Attempt?
    /// Why there are no news; then there are no commands either, so that a fleet is connected as a whole.
    var newsLost: FleetError?
    var task: Task<Void, Never>?
  }

  private let address: RedisAddress
  private let tls: TLSConfiguration
  private let timeLimit: TimeAmount
  private let news: News?
  private let onEvent: @Sendable (FleetEngineEvent) -> Void
  private let state = Mutex(State())

  /// Begins to connect, for commands or, with news, for a subscription.
  init(
    _ address: RedisAddress, tls: TLSConfiguration, timeLimit: TimeAmount, news: News? = nil,
    onEvent: @escaping @Sendable (FleetEngineEvent) -> Void = { _ in }
  ) {
    (self.address, self.tls, self.timeLimit) = (address, tls, timeLimit)
    (self.news, self.onEvent) = (news, onEvent)
    let first = attempt()
    let task = Task { await keepConnected(first) }
    state.withLock { $0.task = task }
  }

  func close() { state.withLock { $0.task }?.cancel() }

  /// Subscribes over another connection, without which commands fail.
  func subscribe(
    to news: News, onEvent: @escaping @Sendable (FleetEngineEvent) -> Void
  ) -> RedisConnector {
    RedisConnector(address, tls: tls, timeLimit: timeLimit, news: news) { [self] event in
      switch event {
      case .connected: state.withLock { $0.newsLost = nil }
      case .lost(let error): state.withLock { $0.newsLost = error }
      case .changed: break
      }
      onEvent(event)
    }
  }

  /// Runs a command with texts and, after them, bytes as its arguments.
  func run(
    _ arguments: [String], _ bytes: [[UInt8]] = []
  ) async throws(FleetError) -> RedisReply {
    let (attempt, newsLost) = state.withLock { ($0.attempt, $0.newsLost) }
    guard let attempt, newsLost == nil else { throw newsLost ?? .closed }
    do {
      return try await attempt.value.run(arguments, bytes)
    } catch {
      throw error as? FleetError ?? .closed
    }
  }

  private func attempt() -> Attempt {
    let attempt = Attempt { try await connect() }
    state.withLock { $0.attempt = attempt }
    return attempt
  }

  /// Connects again after each loss, until the task is cancelled.
  private func keepConnected(_ first: Attempt) async {
    var (attempt, failures) = (first, 0)
    while true {
      var error = FleetError.closed
      failures += 1
      do {
        let channel = try await attempt.value
        onEvent(.connected)
        let start = ContinuousClock.now
        await withTaskCancellationHandler {
          try? await channel.closeFuture.get()
        } onCancel: {
          channel.close(promise: nil)
        }
        if start.duration(to: .now) > .seconds(1) { failures = 0 }
      } catch let failure {
        error = failure as? FleetError ?? .closed
      }
      guard !Task.isCancelled else { return }
      onEvent(.lost(error))
      // At once, or after 50 ms to 2 s, at random so that servers don't connect together.
      let pause = min(.milliseconds(25) * (1 << min(failures, 10)), .seconds(2))
      if failures > 0 { try? await Task.sleep(for: pause * Double.random(in: 0.5...1)) }
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
        .channelInitializer { [host = address.host, timeLimit, news, onEvent] channel in
          channel.eventLoop.makeCompletedFuture {
            if let context {
              // A certificate for an address can't be named in the handshake.
              let named = try? NIOSSLClientHandler(context: context, serverHostname: host)
              try channel.pipeline.syncOperations.addHandler(
                named ?? NIOSSLClientHandler(context: context, serverHostname: nil))
            }
            try channel.pipeline.syncOperations.addHandler(
              RedisHandler(timeLimit: timeLimit) { message in
                if let event = news?.event(message) { onEvent(event) }
              })
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
      if let news { _ = try await channel.run(["SUBSCRIBE", news.channel]) }
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
    var role: String?
    do throws(FleetError) {
      role = try await channel.run(["ROLE"]).elements.first?.text
    } catch .unauthorized(let text) where text.contains("NOPERM") {
      // A user without the permission for this question may have all others.
    } catch .unsupported {
      // So may a proxy that does not know it.
    }
    if role == "sentinel" { throw .sentinel }
    if role == "slave" { throw .replica }
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
