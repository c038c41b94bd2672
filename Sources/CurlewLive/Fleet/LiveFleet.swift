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
/// let fleet = try LiveFleet(Fleet(RedisEngine(url, secret: secret)), at: "10.0.0.1:8080")
/// router.add(BirdsPage(), key: key, fleet: fleet) { live in document(live) }
/// let group = ServiceGroup(services: [fleet, application, readiness], …)
/// ```
public final class LiveFleet: Service {
  /// The error for an address at which no server can be reached.
  public struct WrongAddress: Error, CustomStringConvertible {
    /// A description of the problem and its fix.
    public let description =
      "The address of a live server is not of the form host:port, such as 10.0.0.1:8080 or [::1]:8080."
  }

  /// The time after which a server that no longer registers itself is gone, and a shared screen without its server.
  static let leaseTime: Duration = .seconds(4)
  /// The interval at which a server registers itself, and for which others don't look up its address again.
  private static let interval: Duration = .seconds(1)
  /// The time limits for a connection to another server, and for the head of its response, which is longer than a poll.
  private static let (connectTime, responseTime): (Duration, Duration) = (.seconds(1), .seconds(14))

  private struct State {
    var addresses: [String: (address: String?, end: Duration)] = [:]
    var connections: [String: [PeerConnection]] = [:]
    /// Closures that end the sessions of the visitor with a hash.
    var signOutActions: [@Sendable (String) -> Void] = []
    /// Closures that renew leases or, at the end, release them.
    var renewals: [@Sendable (_ isLast: Bool) async -> Void] = []
  }

  /// The name of this server in the ids of its sessions, of 16 hexadecimal digits.
  let server: String
  let values: any ServerValues
  let address: String
  let time: RelativeClock
  private let state = Mutex(State())

  /// Creates the fleet of this server, a service that registers its address for the others: it shuts down after the
  /// server, so it is the first of a service group.
  ///
  /// - Parameters:
  ///   - values: The values that the servers share.
  ///   - address: The host and port at which the other servers reach this one, such as `10.0.0.1:8080`.
  ///   - clock: The clock for intervals.
  /// - Throws: ``WrongAddress`` for an address of another form.
  public init(
    _ values: some ServerValues, at address: String,
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(WrongAddress) {
    guard PeerConnection.parts(of: address) != nil else { throw WrongAddress() }
    (self.values, self.address) = (values, address)
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
        await renew(isLast: false)
        _ = try? await cancelWhenGracefulShutdown { [time] in
          try await time.sleep(until: time.now + Self.interval)
        }
      }
      group.cancelAll()
    }
    await renew(isLast: true)
    await register(nil)
  }

  private func register(_ address: String?) async {
    await values.set(Self.key(server), address, lease: nil, expires: Self.leaseTime)
  }

  private static func key(_ server: String) -> String { "live/servers/\(server)" }

  private func renew(isLast: Bool) async {
    for renew in state.withLock({ $0.renewals }) { await renew(isLast) }
  }

  /// Calls a closure at each interval, and after the server has shut down.
  func onRenewal(_ renew: @escaping @Sendable (_ isLast: Bool) async -> Void) {
    state.withLock { $0.renewals.append(renew) }
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

  /// Sends a request to another server; returns `nil` if it is gone: nothing accepts connections at its address, or another
  /// server has the address.
  ///
  /// - Throws: ``PeerConnection/Closed`` if there is no response, but the server may have applied the request.
  func send(
    _ head: HTTPRequest, _ body: ByteBuffer, to server: String, at address: String
  ) async throws -> (PeerConnection.Reply, PeerConnection)? {
    var connection = state.withLock { $0.connections[address]?.popLast() }
    let start = time.now
    // The server may have closed a kept connection meanwhile. It applies a request once, even if it is sent again.
    var reply = try? await connection?.send(head, body, within: Self.responseTime)
    if reply == nil {
      guard time.now - start < Self.responseTime else { throw PeerConnection.Closed() }
      connection = try? await PeerConnection.open(to: address, within: Self.connectTime)
      reply = try await connection?.send(head, body, within: Self.responseTime)
    }
    guard let reply, let connection, reply.head.status != .misdirectedRequest else {
      state.withLock { $0.addresses[server] = (nil, time.now + Self.interval) }
      return nil
    }
    return (reply, connection)
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
    Task { await values.set("live/out/\(visitor)", "", lease: nil, expires: .seconds(60)) }
  }

  private func followSignOuts() async {
    for await case let news? in values.news(of: "live/out/") {
      let actions = state.withLock { $0.signOutActions }
      for action in actions { action(String(news.key.dropFirst("live/out/".count))) }
    }
  }
}
