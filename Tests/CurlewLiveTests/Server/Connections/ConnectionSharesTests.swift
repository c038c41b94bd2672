import CurlewLive
import Testing

struct ConnectionSharesTests {
  private func shares(
    connections: Int = 8, perClient: Int = 100, streams: Int = 100, streamsPerClient: Int = 100
  ) -> ConnectionShares {
    var limits = LiveServerLimits()
    (limits.connections, limits.connectionsPerClient) = (connections, perClient)
    (limits.streams, limits.streamsPerClient) = (streams, streamsPerClient)
    return ConnectionShares(limits)
  }

  private func client(_ number: Int) throws -> IPAddress {
    try #require(IPAddress("192.0.2.\(number)"))
  }

  @Test func `new client takes the place of the largest clients oldest connection`() throws {
    var shares = shares()
    for _ in 1...5 { _ = shares.open(from: try client(1)) }
    for _ in 6...8 { _ = shares.open(from: try client(2)) }

    let opened = shares.open(from: try client(3))
    #expect(opened.id == 9)
    #expect(opened.ended == 1)
    #expect(shares.count == 8)
  }

  @Test func `client with as many as the others is refused`() throws {
    var shares = shares()
    for number in 1...8 { _ = shares.open(from: try client(number % 4)) }

    let opened = shares.open(from: try client(1))
    #expect(opened.id == nil)
    #expect(opened.ended == nil)
    let first = shares.open(from: try client(9))
    #expect(first.ended.map { $0 <= 4 } == true, "the older one of a client that has two")
    let second = shares.open(from: try client(9))
    #expect(second.id == nil)
  }

  @Test func `hundred clients that open hundred each keep nobody out`() throws {
    var shares = shares(connections: 800, perClient: 200)
    for _ in 1...100 { for number in 1...100 { _ = shares.open(from: try client(number)) } }
    #expect(shares.count == 800)

    let visitor = try (1...6).compactMap { _ in shares.open(from: try client(200)).id }
    #expect(visitor.count == 6)
    // The other clients keep opening connections, but close none of the visitor's.
    for _ in 1...100 {
      for number in 1...100 {
        let ended = shares.open(from: try client(number)).ended
        #expect(!visitor.contains(ended ?? 0))
      }
    }
  }

  @Test func `client over its limit loses its own that wait first`() throws {
    var shares = shares(perClient: 3)
    for _ in 1...3 { _ = shares.open(from: try client(1)) }
    shares.set(.responding, of: 1)
    _ = shares.beginStream(2, for: try client(1))

    #expect(shares.open(from: try client(1)).ended == 3)
    shares.set(.responding, of: 4)
    #expect(shares.open(from: try client(1)).ended == 2, "a stream, before a response")
    #expect(shares.streamCount == 0)
    shares.set(.responding, of: 5)
    #expect(shares.open(from: try client(1)).ended == 1)
  }

  @Test func `proxies are counted but not limited`() throws {
    var shares = shares(connections: 5, perClient: 1)
    let ids = [nil, nil, nil, nil, try client(1), nil].map { shares.open(from: $0).id }
    #expect(ids == [1, 2, 3, 4, 5, nil])
  }

  @Test func `clients behind a proxy share the streams`() throws {
    var shares = shares(connections: 100, streams: 10, streamsPerClient: 4)
    let ids = (1...20).compactMap { _ in shares.open(from: nil).id }
    for id in ids[..<4] { #expect(shares.beginStream(id, for: try client(1)) == nil) }
    #expect(shares.beginStream(ids[4], for: try client(1)) == ids[0], "its own oldest")
    for id in ids[5..<8] { #expect(shares.beginStream(id, for: try client(2)) == nil) }
    for id in ids[8..<11] { #expect(shares.beginStream(id, for: try client(3)) == nil) }
    #expect(shares.streamCount == 10)
    #expect(shares.beginStream(ids[11], for: try client(4)) == ids[1], "of the largest client")
    #expect(shares.count == 18)
  }

  @Test func `stream of a client with as many as the others ends itself`() throws {
    var shares = shares(connections: 100, streams: 3)
    let ids = (1...4).compactMap { _ in shares.open(from: nil).id }
    for id in ids[..<3] { #expect(shares.beginStream(id, for: try client(id)) == nil) }
    #expect(shares.beginStream(ids[3], for: try client(9)) == ids[3])
    #expect(shares.streamCount == 3)
  }

  @Test func `stream that ends makes room`() throws {
    var shares = shares(streams: 1)
    let ids = (1...2).compactMap { _ in shares.open(from: nil).id }
    _ = shares.beginStream(ids[0], for: try client(1))
    shares.set(.waiting, of: ids[0])
    #expect(shares.streamCount == 0)
    #expect(shares.beginStream(ids[1], for: try client(2)) == nil)
    shares.close(ids[1])
    #expect(shares.streamCount == 0)
    #expect(shares.count == 1)
  }

  @Test func `network of an IPv6 address is one client`() throws {
    let (one, other) = try (
      #require(IPAddress("2001:db8:0:1::1")), #require(IPAddress("2001:db8:0:1:ffff::2"))
    )
    #expect(one != other)
    #expect(one.client == other.client)
    #expect(try one.client != (#require(IPAddress("2001:db8:0:2::1"))).client)
    #expect(try client(1).client != client(2).client)
    #expect(try IPAddress("::ffff:192.0.2.1") == client(1))
  }
}
