import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The checker finds every defect of a file, so that its acceptance is meaningful.
@Suite(.timeLimit(.minutes(1)))
struct HARCheckerTests {
  /// Returns a file with all fields that can be written.
  static func full() throws -> JSONValue {
    let tag = try #require(HTTPField.Name("X-Tag"))
    var entry = HAR.Entry(
      .post, "https://a.b/x?y=1&z=a%20b",
      headerFields: [.cookie: "a=1; b=2", .contentType: "text/plain", tag: "ü"],
      body: Data("text".utf8),
      response: Sample(
        status: .found,
        headerFields: [
          .setCookie: "a=1; Path=/; Domain=a.b; Secure; Expires=Sun, 06 Nov 1994 08:49:37 GMT",
          .location: "https://a.b/y",
        ], body: Data([0xFF, 0])))
    entry.timings = HAR.Timings(
      blocked: .milliseconds(1), connect: .milliseconds(2), send: .microseconds(3),
      wait: .seconds(4), receive: .microseconds(5_500))
    (entry.comment, entry.failure, entry.httpVersion) = ("c", "f", "1.1")
    entry.startedAt = Date(timeIntervalSince1970: 1_800_000_000.125)
    return try JSONValue(HAR(entries: [entry], comment: "log").data())
  }

  private static let optional: Set<String> = [
    "comment", "postData", "params", "text", "encoding",
    "blocked", "dns", "connect", "ssl", "_error",
  ]

  private static func cookie(expires: String) -> JSONValue {
    .object(["name": .text("a"), "value": .text("b"), "expires": .text(expires)])
  }

  @Test func `cookies are checked`() throws {
    var file = try Self.full()
    file[["log", "entries", "0", "request", "cookies"]] = .list([
      Self.cookie(expires: "1994-11-06T08:49:37Z")
    ])
    #expect(HARChecker(file).problems == [])
  }

  @Test func `a full file is right`() throws {
    let checker = HARChecker(try Self.full())
    #expect(checker.problems == [] && checker.contradictions == [])
  }

  @Test func `each missing field is found`() throws {
    let full = try Self.full()
    var removed = 0
    for path in full.paths {
      var file = full
      file[path[...]] = nil
      let isOptional = Self.optional.contains(path.last ?? "")
      #expect(HARChecker(file).problems.isEmpty == isOptional, "\(path)")
      removed += isOptional ? 0 : 1
    }
    #expect(removed > 45)
  }

  @Test func `each field of a wrong type is found`() throws {
    let full = try Self.full()
    for path in full.paths where path.last?.hasPrefix("_") == false {
      for wrong in [JSONValue.null, .bool(true), .list([.null]), .object(["x": .null])] {
        var file = full
        file[path[...]] = wrong
        #expect(!HARChecker(file).problems.isEmpty, "\(path): \(wrong)")
      }
    }
  }

  @Test(arguments: [
    (["startedDateTime"], JSONValue.text("2026-01-01T00:00:00")),
    (["startedDateTime"], .text("2026-13-01T00:00:00Z")), (["time"], .number(-1)),
    (["time"], .number(1)), (["timings", "wait"], .number(-1)),
    (["response", "status"], .number(200.5)), (["response", "content", "size"], .number(1)),
    (["response", "content", "size"], .number(1)), (["response", "content", "text"], .text("%")),
    (["response", "content", "encoding"], .text("gzip")), (["request", "queryString"], .list([])),
    (["request", "url"], .text("/x")), (["request", "x"], .number(1)),
    (["request", "cookies"], .list([cookie(expires: "Sun, 06 Nov 1994 08:49:37 GMT")])),
  ])
  func `each wrong value is found`(path: [String], value: JSONValue) throws {
    var file = try Self.full()
    file[(["log", "entries", "0"] + path)[...]] = value
    let checker = HARChecker(file)
    #expect(!checker.problems.isEmpty || !checker.contradictions.isEmpty)
  }

  @Test(
    .enabled(if: Recordings.exist, "../shared/recordings is not beside this checkout"),
    arguments: ["github.har", "tmdb.har", "itunes.har"])
  func `the recordings are HAR`(name: String) throws {
    let checker = HARChecker(try Data(contentsOf: Recordings.folder.appending(path: name)))
    #expect(checker.problems == [])
    // Their queryString is empty, regardless of the URL.
    #expect(checker.contradictions.filter { !$0.hasSuffix(": queryString") } == [])
  }
}
