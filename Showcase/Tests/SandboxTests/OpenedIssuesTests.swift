import AsyncHTTPClient
import CurlewTesting
import Foundation
import NIOCore
import NIOHTTP1
import Sandbox
import Testing

/// The stream of issues opened while their repository is watched; the test advances the time.
@Suite(.timeLimit(.minutes(1)))
struct OpenedIssuesTests {
  private let clock = TestClock()
  private let path = "/repos/apple/swift/sandbox/opened-issues"

  private var options: Sandbox.Options {
    .init {
      $0.clock = clock
      $0.now = { [clock] in today.addingTimeInterval(clock.now.offset / .seconds(1)) }
    }
  }

  /// The relevant parts of an event.
  private struct Event: Equatable {
    var id: String
    var data: String
    var number: Int? { issue?.number }
    var title: String? { issue?.title }

    private var issue: Issue? { try? JSONDecoder().decode(Issue.self, from: Data(data.utf8)) }

    private struct Issue: Decodable {
      let number: Int
      let title: String
    }
  }

  /// Reads the given number of events, and then closes the stream.
  private func watch(
    _ count: Int, after id: String? = nil, _ browser: PlainBrowser
  ) async throws -> (events: [Event], text: String) {
    var request = HTTPClientRequest(url: browser.base + path)
    request.headers.add(name: "User-Agent", value: "curlew-tests")
    if let id { request.headers.add(name: "Last-Event-ID", value: id) }
    let response = try await browser.http.execute(request, timeout: .minutes(3))
    #expect(response.headers.first(name: "Content-Type") == "text/event-stream")
    var text = ""
    for try await chunk in response.body {
      text += String(buffer: chunk)
      if events(in: text).count >= count { break }
    }
    return (events(in: text), text)
  }

  private func events(in text: String) -> [Event] {
    text.components(separatedBy: "\n\n").dropLast().compactMap { block in
      let lines = block.components(separatedBy: "\n")
      guard lines.first == "event: opened", lines.count == 3 else { return nil }
      return Event(id: String(lines[1].dropFirst(4)), data: String(lines[2].dropFirst(6)))
    }
  }

  /// Runs a closure with a sandbox, and advances the clock whenever a task sleeps.
  private func withWatchedSandbox(
    _ body: (Sandbox, PlainBrowser) async throws -> Void
  ) async throws {
    let passing = Task { [clock] in
      while !Task.isCancelled {
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
      }
    }
    defer { passing.cancel() }
    try await withSandbox(options, body)
  }

  @Test func `issues are opened one after another`() async throws {
    try await withWatchedSandbox { _, browser in
      let (events, text) = try await watch(3, browser)
      #expect(events.map(\.id) == ["1", "2", "3"])
      #expect(text.hasPrefix("retry: 1000\n\n"))
      #expect(text.contains("\n\n: waiting\n\n"), "a comment shows that the connection lives")
      let numbers = events.compactMap(\.number)
      #expect(numbers == Array(numbers[0]..<numbers[0] + 3))
      // The list contains the issues, too.
      let listed = try await browser.list("/repos/apple/swift/issues?per_page=100").map(\.number)
      #expect(listed.filter { numbers.contains($0) } == numbers.reversed())
      #expect(listed.prefix(3) == listed.sorted(by: >).prefix(3))
      #expect(Set(listed).count == listed.count)
    }
  }

  @Test func `every sandbox opens the same issues`() async throws {
    try await withWatchedSandbox { _, browser in
      let events = try await watch(3, browser).events
      try await withSandbox(options) { _, other in
        let others = try await watch(3, other).events
        // Each sandbox has another address, and starts at another time.
        let isSame = zip(events, others).allSatisfy {
          $0.number == $1.number && $0.title == $1.title
        }
        #expect(isSame)
      }
      #expect(Set(events.map(\.title)).count == 3)
    }
  }

  @Test func `watcher goes on after its last event`() async throws {
    try await withWatchedSandbox { _, browser in
      let first = try await watch(4, browser).events
      let again = try await watch(4, after: "2", browser).events
      #expect(again.map(\.id) == ["3", "4", "5", "6"])
      #expect(again.prefix(2) == first.suffix(2))
    }
  }

  @Test func `watcher goes on after a restart`() async throws {
    try await withWatchedSandbox { _, browser in
      let events = try await watch(2, after: "70", browser).events
      #expect(events.map(\.id) == ["71", "72"])
    }
  }

  @Test(arguments: ["x", "-1", "99999999999999999999", "30001"])
  func `identifier that can not be is none`(id: String) async throws {
    try await withWatchedSandbox { _, browser in
      let events = try await watch(1, after: id, browser).events
      #expect(events.first?.id == "1")
    }
  }

  @Test func `new watcher begins with the newest three`() async throws {
    try await withWatchedSandbox { _, browser in
      _ = try await watch(7, browser)
      let events = try await watch(4, browser).events
      let ids = events.compactMap { Int($0.id) }
      #expect(ids.count == 4)
      #expect(ids == Array(ids[0]..<ids[0] + 4))
      #expect(ids[0] >= 5)
    }
  }

  @Test func `repository that nobody watches stays as it is`() async throws {
    try await withWatchedSandbox { _, browser in
      let before = try await browser.get("/repos/apple/cups/issues").text
      _ = try await watch(3, browser)
      #expect(try await browser.get("/repos/apple/cups/issues").text == before)
    }
  }

  // MARK: All repositories

  /// An issue in a line of JSON.
  private struct Line: Decodable, Equatable {
    let number: Int
    let title: String
    let repository_url: String
    let created_at: Date
  }

  /// Reads the lines of all repositories' issues until a condition is true.
  private func readLines(
    _ browser: PlainBrowser, until isEnough: ([Line]) -> Bool
  ) async throws -> (lines: [Line], text: String) {
    var request = HTTPClientRequest(url: browser.base + "/sandbox/opened-issues")
    request.headers.add(name: "User-Agent", value: "curlew-tests")
    let response = try await browser.http.execute(request, timeout: .minutes(3))
    #expect(response.headers.first(name: "Content-Type") == "application/jsonl")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var (text, rest, lines): (String, Substring, [Line]) = ("", "", [])
    for try await chunk in response.body {
      text += String(buffer: chunk)
      // The last line may be incomplete.
      let parts = (rest + String(buffer: chunk))
        .split(separator: "\n", omittingEmptySubsequences: false)
      rest = parts.last ?? ""
      lines += try parts.dropLast().filter { !$0.isEmpty }
        .map { try decoder.decode(Line.self, from: Data($0.utf8)) }
      if isEnough(lines) { break }
    }
    return (lines, text)
  }

  @Test func `the newest issues of all repositories are lines of JSON`() async throws {
    try await withWatchedSandbox { _, browser in
      let (lines, text) = try await readLines(browser) { $0.count > 30 }
      #expect(Set(lines.map(\.repository_url)).count == 3)
      #expect(lines.map(\.created_at) == lines.map(\.created_at).sorted())
      #expect(Set(lines.map { "\($0.repository_url) \($0.number)" }).count == lines.count)
      #expect(text.contains("\n\n"), "a blank line shows that the connection lives")
    }
  }

  @Test func `an issue that a user opens is a line, too`() async throws {
    try await withWatchedSandbox { _, browser in
      _ = try await watch(1, browser)
      _ = try await browser.get(
        "/repos/ReactiveX/RxSwift/issues", method: "POST", body: #"{"title": "Mine"}"#)
      let lines = try await readLines(browser) { $0.contains { $0.title == "Mine" } }.lines
      let mine = try #require(lines.last { $0.title == "Mine" })
      #expect(mine.repository_url.hasSuffix("/repos/ReactiveX/RxSwift"))
    }
  }

  @Test func `stopping ends the stream`() async throws {
    // The clock doesn't advance: the stream waits for its first issue.
    try await withSandbox(options) { sandbox, browser in
      var request = HTTPClientRequest(url: browser.base + path)
      request.headers.add(name: "User-Agent", value: "curlew-tests")
      let response = try await browser.http.execute(request, timeout: .minutes(3))
      var text = ""
      var stopping: Task<Void, Never>?
      // An aborted stream would throw.
      for try await chunk in response.body {
        text += String(buffer: chunk)
        if stopping == nil { stopping = Task { await sandbox.stop() } }
      }
      await stopping?.value
      #expect(text == "retry: 1000\n\n")
    }
  }
}
