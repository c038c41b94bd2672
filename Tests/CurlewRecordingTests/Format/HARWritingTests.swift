import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HARWritingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func readBack(_ har: HAR) throws -> HAR {
    let checker = HARChecker(har.data())
    #expect(checker.problems == [] && checker.contradictions == [])
    return try HAR(data: har.data())
  }

  @Test func `everything is read back`() throws {
    var entry = HAR.Entry(
      .put, "https://a.b/x?y=1#z", headerFields: [.accept: "a", .cookie: "b=c"],
      body: Data("{\"ü\": \"\\u0000\u{0}\u{7F}\r\n/\"}".utf8),
      response: Sample(
        status: HTTPResponse.Status(code: 404, reasonPhrase: "Nope"),
        headerFields: [.setCookie: "a=1", .setCookie: "b=2"], body: Data([0xFF, 0xD8])))
    entry.timings = HAR.Timings(
      blocked: .zero, connect: .milliseconds(1), send: .zero, wait: .microseconds(1_500),
      receive: .seconds(3_000))
    entry.startedAt = Date(timeIntervalSince1970: 1_800_000_000.5)
    (entry.httpVersion, entry.comment, entry.failure) = ("2", "one", "two")
    (entry.bodySize, entry.responseSize) = (1_000, 2_000)
    let har = HAR(entries: [entry], comment: "three")
    let read = try readBack(har)
    #expect(read == har)
    #expect(read.entries.first?.response.status.reasonPhrase == "Nope")
  }

  @Test func `a body that is no text is read back`() throws {
    let har = HAR(entries: [
      HAR.Entry(.post, "https://a.b/", body: Data([0x80, 0, 0xFF]), response: Sample())
    ])
    #expect(try readBack(har).entries.first?.body == Data([0x80, 0, 0xFF]))
  }

  @Test func `a file is one that people can read`() throws {
    var entry = HAR.Entry(.get, "https://a.b/x?q=a%2Fb+c", response: .json("[1]"))
    entry.startedAt = Date(timeIntervalSince1970: 1_800_000_000.0625)
    let text = String(decoding: HAR(entries: [entry]).data(), as: UTF8.self)
    #expect(text.contains(#""startedDateTime" : "2027-01-15T08:00:00.063Z""#), "\(text)")
    #expect(text.contains(#""url" : "https://a.b/x?q=a%2Fb+c""#))
    #expect(text.contains(#""value" : "a/b c""#))
  }

  @Test(arguments: [
    (Date.distantPast.timeIntervalSince1970, "0001-"), (64_000_000_000, "3998-"),
    (1e300, "9999-12-31T23:59:59"), (-1e300, "0001-"), (.nan, "1970-"), (.infinity, "1970-"),
    (-0.001, "1969-12-31T23:59:59.999Z"),
  ])
  func `an odd date is a date`(seconds: Double, text: String) throws {
    var entry = HAR.Entry(.get, "https://a.b/", response: Sample())
    entry.startedAt = Date(timeIntervalSince1970: seconds)
    _ = try readBack(HAR(entries: [entry]))
    #expect(String(decoding: HAR(entries: [entry]).data(), as: UTF8.self).contains("\"\(text)"))
  }

  @Test func `odd times are times`() throws {
    var entry = HAR.Entry(.get, "https://a.b/", response: Sample())
    entry.timings = HAR.Timings(
      blocked: .seconds(-1), wait: .seconds(Int64.max), receive: .nanoseconds(1))
    let read = try #require(try readBack(HAR(entries: [entry])).entries.first)
    #expect(read.timings.blocked == .zero && read.timings.receive == .zero)
  }

  @Test func `bad times and comments of a file are ignored`() throws {
    let har = try HAR(
      data: Data(
        #"""
        {"log": {"comment": 1, "entries": [{"startedDateTime": "yesterday", "comment": [],
          "timings": {"send": -1, "wait": 1e300, "receive": "2", "blocked": null, "connect": 2.5},
          "request": {"method": "GET", "url": "https://a.b/", "bodySize": 1e400},
          "response": {"status": 200, "statusText": 7, "httpVersion": "fax", "_error": {},
            "content": {"size": "big", "text": "x"}}}]}}
        """#.utf8))
    let entry = try #require(har.entries.first)
    #expect(har.comment == nil && entry.comment == nil && entry.startedAt == nil)
    #expect(entry.timings == HAR.Timings(connect: .microseconds(2_500)))
    #expect(entry.httpVersion == nil && entry.failure == nil && entry.responseSize == nil)
  }

  @Test(arguments: [
    ("HTTP/1.1", "1.1"), ("http/1.0", "1.0"), ("h2", "2"), ("HTTP/2", "2"), ("http/2.0", "2"),
    ("h3", "3"), ("", nil), ("unknown", nil), ("spdy", nil), ("HTTP/", nil),
  ])
  func `a version is read`(text: String, version: String?) throws {
    let har = try HAR(
      data: Data(
        """
        {"log": {"entries": [{"request": {"method": "GET", "url": "https://a.b/"},
          "response": {"status": 200, "httpVersion": "\(text)"}}]}}
        """.utf8))
    #expect(har.entries.first?.httpVersion == version)
  }

  @Test(arguments: [
    "2026-02-03T04:05:06Z", "2026-02-03T05:05:06.000+01:00", "2026-02-03T04:05:06.0Z",
  ])
  func `a date is read in any form`(text: String) throws {
    let har = try HAR(
      data: Data(
        """
        {"log": {"entries": [{"startedDateTime": "\(text)", "request": {"method": "GET",
          "url": "https://a.b/"}, "response": {"status": 200}}]}}
        """.utf8))
    #expect(har.entries.first?.startedAt == Date(timeIntervalSince1970: 1_770_091_506))
  }

  @Test func `a file is replaced and its owners alone`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a b.har")
    try Data("old".utf8).write(to: file)
    let har = HAR(entries: [HAR.Entry(.get, "https://a.b/", response: .json("1"))])
    try har.write(to: file)
    #expect(try HAR(contentsOf: file).entries.count == 1)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: file.path(percentEncoded: false))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 1)
  }

  @Test func `a file that cannot be written is named`() throws {
    let file = folder.appending(path: "none/x.har")
    let error = #expect(throws: HAR.WritingError.self) { try HAR().write(to: file) }
    #expect(error?.description.contains("none/x.har can't be written: ") == true)
    let page = try #require(URL(string: "https://a.b/x.har"))
    #expect(throws: HAR.WritingError.self) { try HAR().write(to: page) }
  }

  @Test func `a failure is replayed after the body`() async throws {
    var entry = HAR.Entry(.get, "https://api.example.com/x", response: .json("[1"))
    entry.failure = "reset"
    let lost = HAR.Entry(.get, "https://api.example.com/y", response: Sample(status: 0))
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = .har(HAR(entries: [entry, lost]))
    }
    let failure = await client.result(of: Request<[Int]>.get("/x")).failure
    #expect(failure?.transportFailure?.reason == "reset")
    #expect(await client.result(of: Request<[Int]>.get("/y")).failure?.invalidRequest != nil)
  }
}
