import Foundation
import NIOHTTP1
import Sandbox
import Testing

/// Issues that users open.
@Suite(.timeLimit(.minutes(1)))
struct WrittenIssueTests {
  private func open(
    _ body: String, in repository: String = "apple/cups", key: String? = nil,
    _ browser: PlainBrowser
  ) async throws -> Reply {
    try await browser.get(
      "/repos/\(repository)/issues", method: "POST",
      headers: key.map { ["Idempotency-Key": $0] } ?? [:], body: body)
  }

  @Test(.sandbox) func `an issue is the newest of its repository`() async throws {
    let before = try await browser.list("/repos/apple/cups/issues")
    let reply = try await open(#"{"title": " Ink ", "body": "<b>"}"#, browser)
    #expect(reply.status == 201)
    let issue = try reply.decode(IssueShape.self)
    #expect(issue.title == "Ink" && issue.body == "<b>" && issue.user.login == "you")
    #expect(
      reply.headers.first(name: "Location")
        == "\(browser.base)/repos/apple/cups/issues/\(issue.number)")
    let after = try await browser.list("/repos/apple/cups/issues")
    #expect(after.map(\.number) == [issue.number] + before.map(\.number))
    #expect(try await browser.get("/repos/apple/cups/issues/\(issue.number)").status == 200)
    #expect(try await browser.list("/repos/apple/swift/issues").first?.title != "Ink")
  }

  @Test(.sandbox) func `a key opens one issue`() async throws {
    let first = try await open(#"{"title": "Ink", "body": "a"}"#, key: "k", browser)
    // The order of members is irrelevant.
    let again = try await open(#"{"body": "a", "title": "Ink"}"#, key: "k", browser)
    #expect(first.status == 201 && again.status == 201 && first.text == again.text)
    let other = try await open(#"{"title": "Paper"}"#, key: "k", browser)
    #expect(other.status == 422 && other.text.contains("sent before"))
    let elsewhere = try await open(#"{"title": "Ink"}"#, in: "moya/moya", key: "k", browser)
    #expect(elsewhere.status == 201)
    let issues = try await browser.list("/repos/apple/cups/issues")
    #expect(issues.count { $0.title == "Ink" } == 1)
  }

  @Test(
    .sandbox,
    arguments: [
      ("", 400, "Problems parsing JSON"), ("[1]", 400, "Problems parsing JSON"),
      (#"{"title": 1}"#, 400, "Problems parsing JSON"),
      ("{}", 422, "missing_field"), (#"{"title": " \n"}"#, 422, "missing_field"),
      (#"{"title": "\#(String(repeating: "a", count: 257))"}"#, 422, "maximum is 256 characters"),
      (
        #"{"title": "a", "body": "\#(String(repeating: "b", count: 65_537))"}"#, 422,
        "maximum is 65536 characters"
      ),
      (#"{"title": "\#(String(repeating: "a", count: 300_000))"}"#, 413, "too big"),
    ])
  func `what is no issue is refused`(body: String, status: Int, message: String) async throws {
    let reply = try await open(body, browser)
    #expect(reply.status == status && reply.text.contains(message))
    #expect(try await browser.list("/repos/apple/cups/issues").count == 6)
  }
}
