import CurlewLive
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

/// How a page distributes its sessions among clients.
struct SessionSharesTests {
  /// A session and its idle time; `nil` while it is connected.
  private struct Session: Equatable {
    let name: String
    let idle: Duration?
  }

  /// A page's sessions, started by name.
  private struct Page {
    var shares: SessionShares<Session>

    init(sessions: Int = 8, perClient: Int = 100, perVisitor: Int = 100) {
      var limits = LiveLimits()
      (limits.sessions, limits.sessionsPerClient) = (sessions, perClient)
      limits.sessionsPerVisitor = perVisitor
      shares = SessionShares(limits)
    }

    /// Starts a session; returns the name of the session that it evicts, `none`, or `refused`.
    mutating func start(
      _ name: String, for client: IPAddress?, by visitor: String? = nil, idle: Duration? = nil
    ) -> String {
      let (isStarted, ended) = shares.start(
        Session(name: name, idle: idle), as: name, for: client, by: visitor, idleTime: \.idle)
      return isStarted ? ended?.name ?? "none" : "refused"
    }

    var names: [String] { shares.all.map(\.name).sorted() }
  }

  private func client(_ number: Int) throws -> IPAddress {
    try #require(IPAddress("192.0.2.\(number)"))
  }

  @Test func `client with its share loses its longest idle session`() throws {
    var page = Page(perClient: 3)
    _ = page.start("other", for: try client(2), idle: .seconds(60))
    _ = page.start("a", for: try client(1))
    _ = page.start("b", for: try client(1), idle: .seconds(1))
    _ = page.start("c", for: try client(1), idle: .seconds(2))

    #expect(try page.start("d", for: client(1)) == "c")
    #expect(try page.start("e", for: client(1)) == "b")
    #expect(page.names == ["a", "d", "e", "other"])
  }

  /// The tabs of evicted sessions would reconnect and evict each other forever.
  @Test func `client whose sessions are all connected gets no more`() throws {
    var page = Page(perClient: 2)
    _ = page.start("other", for: try client(2))
    for name in ["a", "b"] { _ = page.start(name, for: try client(1)) }

    #expect(try page.start("c", for: client(1)) == "refused")
    #expect(page.names == ["a", "b", "other"])
  }

  @Test func `longest idle session makes room when there are too many`() throws {
    var page = Page(sessions: 4)
    for number in 1...3 {
      _ = page.start("\(number)", for: try client(number), idle: .seconds(number))
    }
    _ = page.start("4", for: try client(1))

    #expect(try page.start("5", for: client(4)) == "3")
    #expect(page.shares.count == 4)
  }

  @Test func `client with the most makes room for one with fewer`() throws {
    var page = Page(sessions: 6)
    for name in ["a", "b", "c", "d"] { _ = page.start(name, for: try client(1)) }
    for name in ["e", "f"] { _ = page.start(name, for: try client(2)) }

    #expect(try page.start("g", for: client(3)) == "a")
    #expect(try page.start("h", for: client(3)) == "b")
    // Now all clients have two sessions.
    for number in 1...3 {
      #expect(try page.start("x", for: client(number)) == "refused")
    }
    #expect(page.names == ["c", "d", "e", "f", "g", "h"])
    #expect(try page.start("i", for: client(4)) != "refused")
  }

  @Test func `visitor with its share loses its longest idle session`() throws {
    var page = Page(perClient: 3, perVisitor: 2)
    _ = page.start("a", for: try client(1), by: "ada", idle: .seconds(1))
    _ = page.start("b", for: try client(2), by: "ada", idle: .seconds(2))
    _ = page.start("c", for: try client(3), by: "bo", idle: .seconds(9))
    #expect(try page.start("d", for: client(3), by: "ada") == "b")
    #expect(try page.start("e", for: client(3), by: "ada") == "a")
    #expect(try page.start("f", for: client(3), by: "ada") == "refused", "all are connected")
    // The client and the visitor have their shares, so a session of both ends.
    #expect(try page.start("g", for: client(3), by: "bo") == "c")
    #expect(try page.start("h", for: client(4), by: "bo") == "none")
    #expect(try page.start("i", for: client(3), by: "bo", idle: .seconds(1)) == "refused")
    #expect(page.names == ["d", "e", "g", "h"])
  }

  @Test func `who is not limited is counted only`() throws {
    var page = Page(sessions: 4, perClient: 1)
    for name in ["a", "b", "c"] { #expect(page.start(name, for: nil) == "none") }
    #expect(try page.start("d", for: client(1)) == "none")
    #expect(page.start("e", for: nil) == "refused", "none has two")
    #expect(try page.start("f", for: client(1)) == "refused")
  }

  @Test func `session that is removed makes room`() throws {
    var page = Page(sessions: 2, perClient: 2)
    _ = page.start("a", for: try client(1), idle: .seconds(9))
    _ = page.start("b", for: try client(1))
    #expect(page.shares.isFull(for: try client(1)) && page.shares.isFull(for: nil))
    #expect(page.shares.removeAll { $0.idle != nil }.map(\.name) == ["a"])
    #expect(try !page.shares.isFull(for: client(1)))
    #expect(page.shares["a"] == nil && page.shares["b"]?.name == "b")
    #expect(try page.start("c", for: client(1)) == "none")
  }

  @Test func `client without a share is refused`() throws {
    var page = Page(perClient: 0)
    #expect(try page.start("a", for: client(1)) == "refused")
    #expect(page.start("b", for: nil) == "none")
  }

  /// Returns the client that a request counts for.
  private func client(
    from address: String?, by proxies: TrustedProxies = .none, _ fields: HTTPFields = [:]
  ) -> IPAddress? {
    let peer = LiveChannel.Peer(
      end: MultiThreadedEventLoopGroup.singleton.any().makeSucceededVoidFuture(),
      address: address.flatMap { IPAddress($0) }, proxies: proxies)
    return peer.client(of: fields)
  }

  @Test func `network of an IPv6 address has one share`() throws {
    let one = try #require(client(from: "2001:db8:0:1::1"))
    #expect(client(from: "2001:db8:0:1:ffff::2") == one)
    #expect(client(from: "2001:db8:0:2::1") != one)
    #expect(client(from: "192.0.2.1") != client(from: "192.0.2.2"))
    #expect(client(from: nil) == nil, "a socket without an address")
  }

  @Test func `client behind a proxy has a share of its own`() throws {
    let field = try #require(HTTPField.Name("X-Forwarded-For"))
    let proxies = try TrustedProxies(["10.0.0.1"])
    let list: HTTPFields = [field: "1.1.1.1, 192.0.2.7"]
    #expect(client(from: "10.0.0.1", by: proxies, list) == IPAddress("192.0.2.7"))
    var fields = HTTPFields([.init(name: field, value: "1.1.1.1")])
    fields.append(.init(name: field, value: "2001:db8::7"))
    #expect(client(from: "10.0.0.1", by: proxies, fields) == IPAddress("2001:db8::"))
    #expect(client(from: "10.0.0.1", by: proxies) == nil, "a proxy that names nobody")
    #expect(client(from: "192.0.2.9", by: proxies, list) == IPAddress("192.0.2.9"))
    let forwarded = try TrustedProxies(["10.0.0.1"], field: .forwarded)
    let name = try #require(HTTPField.Name("Forwarded"))
    let named: HTTPFields = [name: "for=192.0.2.8", field: "1.1.1.1"]
    #expect(client(from: "10.0.0.1", by: forwarded, named) == IPAddress("192.0.2.8"))
  }
}
