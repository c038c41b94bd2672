import CurlewLive
import NIOHTTP1
import Testing

struct TrustedProxiesTests {
  private func client(
    of fields: HTTPHeaders, from peer: String, by proxies: TrustedProxies
  ) throws -> IPAddress {
    proxies.client(from: try #require(IPAddress(peer))) { fields[$0] }
  }

  @Test(arguments: [
    // Proxies append addresses; everything before the client's address comes from the client itself.
    ("203.0.113.9", "203.0.113.9"), ("1.1.1.1, 203.0.113.9", "203.0.113.9"),
    ("1.1.1.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"), ("10.0.0.9", "10.0.0.9"),
    ("203.0.113.9:4711", "203.0.113.9"), ("[2001:db8::1]:4711", "2001:db8::1"),
    ("2001:db8::1", "2001:db8::1"), ("unknown", "10.0.0.1"), ("", "10.0.0.1"),
    ("203.0.113.9, ", "10.0.0.1"), ("evil', 999.1.1.1", "10.0.0.1"),
  ])
  func `client is the last that is no proxy`(list: String, client: String) throws {
    let proxies = try TrustedProxies(["10.0.0.0/8"])
    let found = try self.client(of: ["X-Forwarded-For": list], from: "10.0.0.1", by: proxies)
    #expect(found == IPAddress(client))
  }

  @Test(arguments: [
    ("for=203.0.113.9", "203.0.113.9"),
    ("for=1.1.1.1, For=\"203.0.113.9:4711\";proto=https;by=10.0.0.1", "203.0.113.9"),
    ("proto=http;for=\"[2001:db8::1]:4711\"", "2001:db8::1"), ("for=_hidden", "10.0.0.1"),
    ("proto=https", "10.0.0.1"), ("for=", "10.0.0.1"),
    ("for=203.0.113.9;host=\"a,for=6.6.6.6\"", "203.0.113.9"),
    ("host=\"a;for=6.6.6.6\";for=203.0.113.9", "203.0.113.9"),
    ("host=\"a\\\";for=6.6.6.6\";for=203.0.113.9", "203.0.113.9"),
  ])
  func `client is read from forwarded`(field: String, client: String) throws {
    let proxies = try TrustedProxies(["10.0.0.1"], field: .forwarded)
    let found = try self.client(
      of: ["X-Forwarded-For": "8.8.8.8", "Forwarded": field], from: "10.0.0.1", by: proxies)
    #expect(found == IPAddress(client))
  }

  @Test func `several fields are one list`() throws {
    let proxies = try TrustedProxies(["10.0.0.1"])
    let fields: HTTPHeaders = ["X-Forwarded-For": "1.1.1.1", "x-forwarded-for": "203.0.113.9"]
    #expect(try client(of: fields, from: "10.0.0.1", by: proxies) == IPAddress("203.0.113.9"))
  }

  @Test func `nobody else is believed`() throws {
    let proxies = try TrustedProxies(["10.0.0.0/8", "fd00::/8"])
    let fields: HTTPHeaders = ["X-Forwarded-For": "1.1.1.1"]
    for peer in ["11.0.0.1", "fe00::1", "9.255.255.255"] {
      #expect(try client(of: fields, from: peer, by: proxies) == IPAddress(peer))
      #expect(try client(of: fields, from: peer, by: .none) == IPAddress(peer))
    }
    #expect(try client(of: fields, from: "fdff::1", by: proxies) == IPAddress("1.1.1.1"))
  }

  @Test(arguments: ["10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "fd00::/129", "", "proxy"])
  func `what is no range is named`(text: String) {
    #expect {
      try TrustedProxies(["10.0.0.0/8", text])
    } throws: { error in
      "\(error)".contains("\"\(text)\"") && "\(error)".contains("10.0.0.0/8 or fd00::/8")
    }
  }

  @Test func `every address is in a range of all`() throws {
    for (range, address) in [("0.0.0.0/0", "203.0.113.9"), ("::/0", "2001:db8::1")] {
      #expect(try TrustedProxies([range]).contains(#require(IPAddress(address))))
    }
    #expect(try !TrustedProxies(["0.0.0.0/0"]).contains(#require(IPAddress("2001:db8::1"))))
  }
}
