public import CurlewSupport
import HTTPTypes
import NIOCore
public import ServiceLifecycle
import Synchronization

/// The servers of live pages behind a load balancer that sends each request to any of them.
///
/// A session belongs to the server that has begun it, and a shared screen to one of the servers; the others forward requests
/// there. When that server is gone, sessions start anew where their requests arrive, from the browsers' addresses and
/// saved states.
///
/// ```swift
/// let fleet = LiveFleet(Fleet(.redis(address)), at: "10.0.0.1:8080")
/// router.add(BirdsPage(), key: key, fleet: fleet) { live in document(live) }
/// let group = ServiceGroup(services: [fleet, application, readiness], …)
/// ```
public final class LiveFleet: Service {
  /// The time after which a server that no longer registers itself is gone, and a shared screen without its server.
  static let leaseTime: Duration = .seconds(4)
  /// The interval at which a server registers itself, and for which others don't look up its address again.
  private static let interval: Duration = .seconds(1)
  /// The time limits for a connection to another server, and for the head of its response, which is longer than a poll.
  private static let (connectTime, responseTime): (Duration, Duration) = (.seconds(1), .seconds(14))

  private struct State {
    var addresses: [String: (address: String?, end: Duration)] = [:]
    var connections: [String: [PeerConnection]] = [:]
    /// The visitors who have signed out, by the hashes of their ids; to announce.
    var signOuts: Set<String> = []
    var isAnnouncing = false
    /// Closures that end the sessions of the visitor with a hash, renew leases, and end them.
    var signOutActions: [@Sendable (String) -> Void] = []
    var renewals: [@Sendable () async -> Void] = []
    var ends: [@Sendable () async -> Void] = []
  }

  /// The name of this server in the ids of its sessions, of 16 hexadecimal digits.
  let server: String
  let values: any ServerValues
  let address: String
  private let clock: any Clock<Duration>
  private let time: RelativeClock
  private let state = Mutex(State())

  /// Creates the fleet of this server, a service that registers its address for the others: it shuts down after the
  /// server, so it is the first of a service group.
  ///
  /// - Parameters:
  ///   - values: The values that the servers share.
  ///   - address: The host and port at which the other servers reach this one, such as `10.0.0.1:8080`.
  ///   - clock: The clock for intervals.
  public init(
    _ values: some ServerValues, at address: String,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    (self.values, self.address, self.clock) = (values, address, clock)
    server = SigningKey.hash(of: values.server)
    time = RelativeClock(clock)
  }

  // MARK: The service

  /// Registers the server until it shuts down.
  @concurrent
  public func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followSignOuts() }
      while !Task.isShuttingDownGracefully, !Task.isCancelled {
        await register(address)
        for renew in state.withLock({ $0.renewals }) { await renew() }
        _ = try? await cancelWhenGracefulShutdown { [clock] in
          try await clock.sleep(for: Self.interval)
        }
      }
      group.cancelAll()
    }
    for end in state.withLock({ $0.ends }) { await end() }
    await register(nil)
  }

  private func register(_ address: String?) async {
    await values.set(Self.key(server), address, lease: nil, expires: Self.leaseTime)
  }

  private static func key(_ server: String) -> String { "live/servers/\(server)" }

  /// Calls a closure at each interval, until the server shuts down.
  func renew(_ renewal: @escaping @Sendable () async -> Void) {
    state.withLock { $0.renewals.append(renewal) }
  }

  /// Calls a closure after the server has shut down.
  func onEnd(_ end: @escaping @Sendable () async -> Void) {
    state.withLock { $0.ends.append(end) }
  }

  // MARK: Other servers

  /// Returns the address of another server; `nil` if it is gone.
  func address(of server: String) async -> String? {
    let now = time.now
    let known = state.withLock { $0.addresses[server] }
    if let known, now < known.end { return known.address }
    // Without a registration, such as in an engine that has lost its values, the known address counts until nothing
    // accepts connections there.
    let address = await values.text(Self.key(server)) ?? known?.address
    state.withLock { state in
      if state.addresses.count > 1_000 {
        state.addresses = state.addresses.filter { now < $0.value.end }
      }
      state.addresses[server] = (address, now + Self.interval)
    }
    return address
  }

  private func isGone(_ server: String) {
    state.withLock { $0.addresses[server] = (nil, time.now + Self.interval) }
  }

  /// The result of a request to another server.
  enum Outcome {
    case reply(PeerConnection.Reply, PeerConnection)
    /// The server is gone: nothing accepts connections at its address, or another server has the address.
    case gone
    /// There is no response, but the server may have applied the request.
    case failed
  }

  /// Sends a request to another server.
  func send(
    _ head: HTTPRequest, _ body: ByteBuffer, to server: String, at address: String
  ) async -> Outcome {
    var reply: PeerConnection.Reply?
    let start = time.now
    var connection = state.withLock { $0.connections[address]?.popLast() }
    if let kept = connection, kept.isOpen {
      // The server may have closed a kept connection meanwhile. It applies a request once, even if it is sent again.
      reply = try? await kept.send(head, body, within: Self.responseTime)
    }
    if reply == nil, time.now - start < Self.responseTime {
      guard let new = try? await PeerConnection.open(to: address, within: Self.connectTime) else {
        isGone(server)
        return .gone
      }
      connection = new
      reply = try? await new.send(head, body, within: Self.responseTime)
    }
    guard let reply, let connection else { return .failed }
    guard reply.head.status != .misdirectedRequest else {
      isGone(server)
      return .gone
    }
    return .reply(reply, connection)
  }

  /// Keeps a connection whose response has been read for the next request.
  func keep(_ connection: PeerConnection, to address: String) {
    state.withLock { state in
      if state.connections[address, default: []].count < 64 {
        state.connections[address, default: []].append(connection)
      }
    }
  }

  // MARK: Sign-outs

  /// Calls a closure with the hash of a visitor who has signed out at any server.
  func onSignOut(_ action: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.signOutActions.append(action) }
  }

  /// Tells the other servers that a visitor has signed out.
  func announce(signOut visitor: String) {
    let isFirst = state.withLock { state in
      state.signOuts.insert(visitor)
      defer { state.isAnnouncing = true }
      return !state.isAnnouncing
    }
    guard isFirst else { return }
    Task {
      while let visitor = state.withLock({ state -> String? in
        let next = state.signOuts.popFirst()
        state.isAnnouncing = next != nil
        return next
      }) {
        await values.set("live/out/\(visitor)", "", lease: nil, expires: .seconds(60))
      }
    }
  }

  private func followSignOuts() async {
    for await key in values.changes(of: "live/out/") {
      let actions = state.withLock { $0.signOutActions }
      for action in actions { action(String(key.dropFirst("live/out/".count))) }
    }
  }
}
