public import Curlew
public import CurlewScreens
import CurlewSupport
import Foundation
import Synchronization

/// What an app knows of its server, shared by all screens: the value of each request, each entity once, and the edits
/// of writes that run.
///
/// ```swift
/// let store = Store(github)
/// let list = Feed(store: store) { key in Repository.page(key?.number ?? 1) }
/// let detail = Detail(store: store) { name in Repository.entry(name) }
/// ```
///
/// What is shown is always the newest value that the server is known to have sent, with the edits that are pending, in
/// the order in which they were made. Equal requests share one entry and one transfer. The store keeps values and no
/// responses: those are in the client's cache (`ResponseCache`), which decides what is fresh (RFC 9111), and from which
/// a value shows at once after a launch.
public final class Store: Sendable {
  /// How long, and how much, a store keeps, and how often it loads.
  public struct Limits: Sendable, Hashable {
    /// How long an entry is kept that nobody looks at: 5 minutes by default.
    public var unusedTime = Duration.seconds(300)
    /// The size in bytes of the response bodies of the entries that nobody looks at, above which those are dropped that
    /// were not used for the longest time: 16 MiB by default.
    public var unusedSize = 16 << 20
    /// How long a value that came just now is not loaded again, even if its response does not allow to keep it: 2 s by
    /// default, as for two screens that open together.
    public var minimumInterval = Duration.seconds(2)
    /// The first and the longest pause between two tries while the server is out of reach.
    public var pauses = Duration.seconds(5) ... .seconds(60)

    /// Creates the default limits.
    public init() {}
  }

  /// The client that sends the requests.
  public let client: Client
  /// The writes that have not finished, in screens and outside of them.
  public let writes = PendingWork()
  let limits: Limits
  private let account: (@Sendable () -> String?)?
  let clock: RelativeClock
  let now: @Sendable () -> Date
  private let tables: Mutex<StoreTables>

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - client: The client that sends the requests; without a cache, nothing is fresh, and nothing shows at a launch.
  ///   - limits: How long, and how much, it keeps.
  ///   - account: Names the account for which requests are made now; by default what the account function of the client's
  ///     cache says of a request, as it is before the middlewares.
  ///   - clock: The clock of its times; by default that of the client.
  public init(
    _ client: Client, limits: Limits = Limits(), account: (@Sendable () -> String?)? = nil,
    clock: (any Clock<Duration>)? = nil
  ) {
    self.client = client
    self.account = account
    self.limits = limits
    let clock = clock ?? client.configuration.clock
    self.clock = RelativeClock(clock)
    if let cache = client.configuration.cache { now = cache.now } else { now = { Date() } }
    tables = Mutex(StoreTables())
  }

  // MARK: Reading

  /// The value of an entry now and whenever it changes, as what a screen shows: loading, content, failed.
  ///
  /// ```swift
  /// work.follow("repository") { store.values(of: Repository.entry(name)) } each: { state, repository, _ in
  ///   state.repository = repository
  /// }
  /// ```
  ///
  /// The value is loaded when the iteration begins, unless it is fresh, and again when the network comes back or the
  /// entry is invalidated. What the store or the client's cache has shows meanwhile. Equal values are delivered once; a
  /// slow consumer gets the newest. A value that the server has confirmed has another date. When its account is cleared,
  /// the sequence ends with `.idle`.
  public func values<Value>(of entry: StoreEntry<Value>) -> StoreValues<Value> {
    StoreValues(store: self, entry: entry)
  }

  /// The value of an endpoint now and whenever it changes, as of a ``StoreEntry``.
  public func values<E: Endpoint, Value: Equatable & Sendable>(
    of endpoint: E, entities: EntityPath<Value>..., fileID: StaticString = #fileID,
    line: UInt = #line, transform: @escaping @Sendable (E.Response) throws -> Value
  ) -> StoreValues<Value> {
    values(
      of: StoreEntry(endpoint, entities, "\(fileID):\(line)") { response in
        try transform(response.value)
      })
  }

  /// Returns what is shown of an entry now, without loading it; `nil` if nobody looks at it, or has lately.
  public func value<Value>(of entry: StoreEntry<Value>) -> Loadable<Value>? {
    guard let key = try? key(of: entry) else { return nil }
    return change { tables in tables.known(key, as: Value.self)?.present(tables) }
  }

  /// Returns what is shown of an entity now; `nil` if the store does not know it, or it was removed.
  ///
  /// It is that of the account which the store names itself; of none if it does not.
  public func entity<View: EntityView>(_ type: View.Type = View.self, _ id: View.ID) -> View? {
    entity(type, id, account: account.flatMap { $0() })
  }

  /// Returns what is shown of an account's entity now; `nil` if the store does not know it, or it was removed.
  ///
  /// - Parameters:
  ///   - type: The type of the entity or view.
  ///   - id: The entity's identifier.
  ///   - account: The account that the client's cache names for the requests that brought it.
  public func entity<View: EntityView>(
    _ type: View.Type = View.self, _ id: View.ID, account: String?
  ) -> View? {
    change { $0.known(View.self, id, account) }
  }

  /// Loads an entry in advance, unless it is fresh; returns at once.
  public func prefetch<Value>(_ entry: StoreEntry<Value>) {
    guard let key = try? key(of: entry) else { return }
    change { tables in
      let entry = tables.entry(key, entry)
      entry.lastUse = tables.nextID()
      if isLoadNeeded(entry) { entry.load(in: self, tables, isReload: false, isShown: false) }
      sweep(tables)
    }
  }

  // MARK: Invalidating

  /// Marks what is known of an endpoint as out of date, in the client's cache too; what somebody looks at is loaded
  /// again.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint whose entries and cached responses are invalidated.
  ///   - andBelow: Whether everything is meant whose URL begins with the endpoint's path, whatever its query.
  public func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) async {
    await invalidate([.endpoint(endpoint, andBelow: andBelow)], at: change { $0.nextNumber(now()) })
  }

  /// Marks what is known of an entry's request as out of date, in the client's cache too; if somebody looks at it, it is
  /// loaded again.
  public func invalidate<Value>(_ entry: StoreEntry<Value>) async {
    guard let url = try? key(of: entry).url else { return }
    await invalidate([.url(url)], at: change { $0.nextNumber(now()) })
  }

  /// Marks all entries with a tag that were looked at since the launch as out of date, in the client's cache too; what
  /// somebody looks at is loaded again.
  public func invalidate(tag: String) async {
    await invalidate([.tag(tag)], at: change { $0.nextNumber(now()) })
  }

  /// Forgets everything of an account, as when a user signs out, in the client's cache too; what arrives later from
  /// before is dropped, and writes that wait for their turn are not sent.
  ///
  /// - Parameter account: The account; `nil` for what has none. ``clear()`` is for everything.
  public func clear(account: String?) async {
    // First what would show again.
    await client.configuration.cache?.removeAll(of: account)
    change { $0.clear(account) }
  }

  /// Forgets everything, in the client's cache too; what arrives later from before is dropped.
  public func clear() async {
    await client.configuration.cache?.removeAll()
    change { $0.clear(nil) }
  }

  // MARK: The lock

  /// Uses the tables under the lock, and resumes the consumers of what has changed without it.
  func change<Result: Sendable>(_ body: (StoreTables) -> Result) -> Result {
    let (result, ended) = tables.withLock { tables in (body(tables), tables.takeEnded()) }
    ended.consumers.resume()
    for turn in ended.turns { turn.resume() }
    for task in ended.tasks { task.cancel() }
    return result
  }

  func key<Value>(of entry: StoreEntry<Value>) throws(Client.Error) -> RequestKey {
    let identity = try entry.identity(client)
    return RequestKey(identity, account: account(of: identity))
  }

  func key<E: Endpoint>(of endpoint: E) throws(Client.Error) -> RequestKey {
    let identity = try client.identity(of: endpoint)
    return RequestKey(identity, account: account(of: identity))
  }

  func account(of identity: Client.RequestIdentity) -> String? {
    account.map { $0() } ?? identity.account
  }
}
