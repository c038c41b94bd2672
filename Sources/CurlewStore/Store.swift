public import Curlew
public import CurlewScreens
import CurlewSupport
import Foundation
import Synchronization

/// A cache of an app's server data that all screens share: the value of each request, each entity once, and the edits
/// of running writes.
///
/// ```swift
/// let store = Store(github)
/// let list = Feed(source: store.source { key in Repository.page(key?.number ?? 1) })
/// let detail = Detail<_, RepositoryRow, _>(source: store.source { name in Repository.entry(name) })
/// ```
///
/// The shown value is always the server's newest value with the pending edits. Equal requests share one entry and one
/// transfer. The client's cache (`ResponseCache`) determines freshness (RFC 9111), and provides values immediately after a
/// launch.
public final class Store: Sendable, SessionFollower {
  /// The limits of a store: how long and how much it keeps, and how often it loads.
  public struct Limits: Sendable, Hashable {
    /// The time for which an entry without consumers is kept: 5 minutes by default.
    public var unusedTime = Duration.seconds(300)
    /// The maximum size in bytes of the response bodies of entries without consumers, of which the least recently used
    /// are removed: 16 MiB by default.
    public var unusedSize = 16 << 20
    /// The minimum time between two loads of a value, even if its response must not be cached: 2 s by default.
    public var minimumInterval = Duration.seconds(2)
    /// The first and the longest delay between two retries while the server is unreachable.
    public var pauses = Duration.seconds(5) ... .seconds(60)
    /// The maximum number of actions in the outbox, of all accounts: 1,000 by default.
    public var actions = 1_000
    /// The maximum size in bytes of the actions in the outbox: 16 MiB by default.
    public var actionsSize = 16 << 20
    /// The time after which a waiting action is refused instead of sent: 30 days by default.
    public var actionAge = Duration.seconds(30 * 86_400)

    /// Creates the default limits.
    public init() {}
  }

  /// The client that sends the requests.
  public let client: Client
  /// The writes that have not finished, in screens and elsewhere.
  public let writes = PendingWork()
  /// The actions that were not performed yet, in their order; only the store changes the value.
  ///
  /// ```swift
  /// work.follow("outbox", store.outbox, \.waiting)
  /// ```
  public let outbox = Shared<[OutboxItem]>([])
  let limits: Limits
  private let account: (@Sendable () -> String?)?
  let clock: RelativeClock
  let now: @Sendable () -> Date
  private let tables: Mutex<StoreTables>
  let outboxState: Mutex<OutboxState>
  let announcer = Announcer()

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - client: The client that sends the requests; without a cache, no value is fresh.
  ///   - limits: The limits of the store.
  ///   - account: A closure that returns the current account; by default, the account function of the client's cache is
  ///     called with the request, as it is before the middlewares.
  ///   - clock: The clock for all times; by default the client's clock.
  ///   - outbox: The storage of the actions (``StoreAction``), whose edits are shown and which are sent at once.
  public init(
    _ client: Client, limits: Limits = Limits(), account: (@Sendable () -> String?)? = nil,
    clock: (any Clock<Duration>)? = nil, outbox: Outbox = .memory(actions: [])
  ) {
    (self.client, self.account, self.limits) = (client, account, limits)
    let clock = clock ?? client.configuration.clock
    self.clock = RelativeClock(clock)
    if let cache = client.configuration.cache { now = cache.now } else { now = { Date() } }
    tables = Mutex(StoreTables())
    outboxState = Mutex(OutboxState(outbox))
    client.addFollower(self)
    readOutbox()
    startSending()
  }

  // MARK: Reading

  /// Returns the value of an entry now and whenever it changes, as a screen shows it: loading, content, failed.
  ///
  /// ```swift
  /// work.follow("repository") { store.values(of: Repository.entry(name)) } each: { state, repository, _ in
  ///   state.repository = repository
  /// }
  /// ```
  ///
  /// The value is loaded when the iteration begins, unless it is fresh, and again when the network is back or the entry
  /// is invalidated. Equal values are delivered once; a slow consumer gets the newest value. When the entry's account is
  /// cleared, the sequence ends with `.idle`.
  public func values<Value>(of entry: StoreEntry<Value>) -> StoreValues<Value> {
    StoreValues(store: self, entry: entry)
  }

  /// Returns the shown value of an entry, without loading it; `nil` if the entry has had no consumers recently.
  public func value<Value>(of entry: StoreEntry<Value>) -> Loadable<Value>? {
    guard let key = try? key(of: entry) else { return nil }
    return change { tables in tables.known(key, as: Value.self)?.present(tables) }
  }

  /// Returns the shown state of an entity; `nil` if the store does not know the entity, or it was removed.
  ///
  /// - Parameters:
  ///   - type: The type of the entity, or of a view of it.
  ///   - id: The id of the entity.
  ///   - account: The account; by default the one that the store's `account` closure returns, or none.
  public func entity<View: EntityView>(
    _ type: View.Type = View.self, _ id: View.ID, account: String? = nil
  ) -> View? {
    let account = account ?? self.account.flatMap { $0() }
    return change { $0.known(View.self, id, account) }
  }

  /// Loads an entry in advance, unless it is fresh; returns immediately.
  public func prefetch<Value>(_ entry: StoreEntry<Value>) {
    guard let key = try? key(of: entry) else { return }
    change { tables in
      let entry = tables.use(key, entry)
      if isLoadNeeded(entry) { entry.load(in: self, tables, isReload: false, isShown: false) }
      tables.markUnused(entry, at: clock.now)
      tables.sweep(at: clock.now, limits)
    }
  }

  /// Loads an entry unless it is fresh, as for a background refresh, and returns its value; `nil` if the value is an entity
  /// that was removed.
  ///
  /// The next screen shows the value at once, until the entry is removed as unused (``Limits``). Throws the error of the
  /// load, and `CancellationError` if the calling task is cancelled or the entry's account is cleared.
  @discardableResult
  public func load<Value>(_ entry: StoreEntry<Value>) async throws -> Value? {
    try await load(entry) { _ in true }?.value
  }

  /// Gives memory back, as when the system warns: removes the entries without consumers, and empties a client's cache in
  /// memory.
  public func freeMemory() async {
    await client.configuration.cache?.freeMemory()
    var limits = limits
    limits.unusedTime = .zero
    change { [limits] in $0.sweep(at: clock.now, limits) }
  }

  // MARK: Invalidating

  /// Marks an endpoint's responses as stale, in the client's cache too; reloads the entries with active consumers.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - andBelow: Whether to include all URLs that begin with the endpoint's path, with any query.
  public func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) async {
    await invalidate { $0.invalidate(endpoint, andBelow: andBelow) }
  }

  /// Marks the responses to an entry's request as stale, as ``invalidate(_:andBelow:)``.
  public func invalidate<Value>(_ entry: StoreEntry<Value>) async {
    await invalidate { $0.invalidate(entry) }
  }

  /// Marks all entries with a tag that were used since launch as stale, as ``invalidate(_:andBelow:)``.
  public func invalidate(tag: String) async {
    await invalidate { $0.invalidate(tag: tag) }
  }

  private func invalidate(_ add: (inout StoreEdit<Void>) -> Void) async {
    var edit = StoreEdit<Void>(self)
    add(&edit)
    await invalidate(edit.data.stale)
  }

  /// Removes all data of an account, `nil` for none, as when a user signs out, in the client's cache too; ignores earlier
  /// requests' responses that arrive later, and does not send waiting writes and actions.
  public func clear(account: String?) async {
    // Clears the cache first, because its responses would be shown again.
    await client.configuration.cache?.removeAll(of: account)
    let key = account.map(Bytewise.init)
    change { $0.clear { $0 == key } }
    removeActions { $0 == account }
  }

  /// Removes all data, in the client's cache too; ignores earlier requests' responses that arrive later.
  ///
  /// When a user signs out, call `Client.signOut()`, which also clears the store; then the actions of an account wait until
  /// it signs in again, and actions without an account are removed.
  public func clear() async {
    await client.configuration.cache?.removeAll()
    change { $0.clear { _ in true } }
    removeActions { _ in true }
  }

  package func forgetUser() {
    change { $0.clear { _ in true } }
    removeActions { $0 == nil }
    hideActions()
  }

  package func userSignedIn() { sendActions() }

  // MARK: The lock

  /// Accesses the tables under the lock, and resumes the notified consumers after the lock has been released.
  func change<Result: Sendable>(_ body: (StoreTables) -> Result) -> Result {
    let (result, resumptions) = access(body)
    for resume in resumptions { resume() }
    return result
  }

  /// Accesses the tables under the lock; returns closures that resume the notified consumers, to be called without a lock.
  func access<Result: Sendable>(
    _ body: (StoreTables) -> Result
  ) -> (Result, resumptions: [@Sendable () -> Void]) {
    tables.withLock { tables in
      defer { tables.resumptions = [] }
      return (body(tables), tables.resumptions)
    }
  }

  func key<Value>(of entry: StoreEntry<Value>) throws(Client.Error) -> RequestKey {
    let identity = try entry.identity(client)
    return RequestKey(identity, account: account(of: identity))
  }

  func account(of identity: Client.RequestIdentity) -> String? {
    account.map { $0() } ?? identity.account
  }
}
