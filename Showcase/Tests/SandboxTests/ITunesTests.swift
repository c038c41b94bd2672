import Foundation
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ITunesTests {
  @Test(.sandbox) func `feed is ranked and complete`() async throws {
    let entries = try await browser.movies("us", 100)
    #expect(entries.count == 40)
    #expect(Set(entries.compactMap { $0.text("im:name", "label") }).count == 40)
    #expect(Set(entries.compactMap { $0.text("id", "attributes", "im:id") }).count == 40)
    let first = try #require(entries.first)
    #expect(first.text("im:name", "label") == "The Kettle Conspiracy")
    #expect(first.text("title", "label") == "The Kettle Conspiracy - Maren Oduya")
    #expect(first.text("im:price", "label") == "$14.99")
    #expect(first.text("im:price", "attributes", "amount") == "14.99000")
    #expect(first.text("im:releaseDate", "label") == "2025-05-04T00:00:00-07:00")
    #expect(first.text("im:releaseDate", "attributes", "label") == "May 4, 2025")
    let page = try #require(first.text("id", "label"))
    #expect(try await browser.get(page).text.contains("The Kettle Conspiracy"))
  }

  @Test(.sandbox) func `parts are missing here and there`() async throws {
    let entries = try await browser.movies("us", 25)
    for part in ["rights", "im:rentalPrice", "summary"] {
      let count = entries.count { $0[part] == nil }
      #expect((1...6).contains(count), "\(part)")
    }
    #expect(entries.contains { $0.text("summary", "label") == "" })
    let amounts = entries.compactMap { $0.text("im:price", "attributes", "amount") }
    #expect(amounts.count == 25)
    #expect(Set(amounts.filter { Double($0) == nil }) == ["", "Get"])
    #expect(amounts.count { Double($0) != nil } > 18)
  }

  @Test(
    .sandbox,
    arguments: [
      ("us", "USD", "$14.99"), ("gb", "GBP", "£11.99"), ("de", "EUR", "€12.99"),
      ("JP", "JPY", "¥2234.99"), ("se", "SEK", nil),
    ] as [(String, String, String?)])
  func `country decides the currency`(country: String, currency: String, price: String?)
    async throws
  {
    let entries = try await browser.movies(country, 40)
    #expect(entries.allSatisfy { $0.text("im:price", "attributes", "currency") == currency })
    let names = entries.compactMap { $0.text("im:name", "label") }
    let american = try await browser.movies("us", 40).compactMap { $0.text("im:name", "label") }
    #expect(Set(names) == Set(american))
    #expect((names == american) == (country == "us"))
    let entry = entries.first { $0.text("im:name", "label") == "The Kettle Conspiracy" }
    if let price { #expect(entry?.text("im:price", "label") == price) }
  }

  @Test(
    .sandbox,
    arguments: [
      ("limit=25", 25), ("limit=0", 1), ("limit=-3", 1), ("limit=1000", 40), ("limit=x", 10),
      ("limit=99999999999999999999", 10),
    ])
  func `limit is held within bounds`(limit: String, count: Int) async throws {
    let reply = try await browser.get("/us/rss/topmovies/\(limit)/json")
    #expect(reply.header("Content-Type") == "application/json;charset=utf-8")
    let entry = try #require(try reply.object()["feed"] as? [String: Any])["entry"]
    // A single entry is not in a list.
    #expect((entry is [String: Any]) == (count == 1))
    #expect((entry as? [Any])?.count ?? 1 == count)
  }

  @Test(.sandbox, arguments: [1, 3, 6, 12, 24])
  func `damaged entries are spread but never first`(count: Int) async throws {
    func texts() async throws -> [Data] { try await browser.feed("us", 25).map(text) }
    let whole = try await texts()
    sandbox.update { $0.damagedEntries = count }
    let entries = try await texts()
    #expect(entries.count == 25)
    let damaged = entries.indices.filter { entries[$0] != whole[$0] }
    #expect(damaged.count == count && !damaged.contains(0))
    if count > 2, let first = damaged.first, let last = damaged.last {
      #expect(first < 8 && last > 15)
    }
    let again = try await texts()
    #expect(again == entries)
  }

  @Test func `damage comes in different ways`() async throws {
    var options = Sandbox.Options.fixed
    options.damagedEntries = 25
    try await withSandbox(options) { _, browser in
      let entries = try await browser.feed("us", 25)
      #expect(entries.contains { $0 is NSNull } && entries.contains { $0 is String })
      let objects = entries.compactMap { $0 as? [String: Any] }
      #expect(objects.contains { $0["im:name"] == nil })
      #expect(objects.contains { $0["im:price"] is String })
      #expect(objects.contains { $0["id"] is [Any] })
      // If all entries are damaged, the only entry of a short list is damaged, too.
      let single = try await browser.feed("us", 1)
      #expect(single.count == 1)
      #expect((single[0] as? [String: Any])?["im:name"] == nil)
    }
  }

  @Test(.sandbox(.init { $0.rateLimit = 0 })) func `failures and limits are not git hubs`()
    async throws
  {
    let path = "/us/rss/topmovies/limit=2/json"
    let reply = try await browser.get(path, userAgent: nil)
    #expect(reply.status == 200 && reply.header("X-RateLimit-Limit") == nil)
    sandbox.update { $0.failureRate = 1 }
    let failed = try await browser.get(path)
    #expect(failed.status == 500 && failed.text.contains("Server Error"))
  }

  private func text(_ value: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
  }
}

extension [String: Any] {
  /// Returns the text at a path of keys.
  fileprivate func text(_ path: String...) -> String? {
    var value: Any? = self
    for key in path { value = (value as? [String: Any])?[key] }
    return value as? String
  }
}

extension PlainBrowser {
  /// Returns the entries of a country's feed, of any type.
  fileprivate func feed(_ country: String, _ limit: Int) async throws -> [Any] {
    let reply = try await get("/\(country)/rss/topmovies/limit=\(limit)/json")
    let entry = (try reply.object()["feed"] as? [String: Any])?["entry"]
    return entry as? [Any] ?? entry.map { [$0] } ?? []
  }

  fileprivate func movies(_ country: String, _ limit: Int) async throws -> [[String: Any]] {
    try await feed(country, limit).compactMap { $0 as? [String: Any] }
  }
}
