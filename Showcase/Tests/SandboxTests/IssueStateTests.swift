import Foundation
import Sandbox
import Synchronization
import Testing

/// Issues that users close or reopen.
@Suite(.timeLimit(.minutes(1)))
struct IssueStateTests {
  private let path = "/repos/apple/cups/issues"

  private func change(
    _ number: Int, _ body: String, userAgent: String = "curlew-tests", _ browser: PlainBrowser
  ) async throws -> Reply {
    try await browser.get(
      "\(path)/\(number)", method: "PATCH", userAgent: userAgent, body: body)
  }

  private func change(
    _ number: Int, to state: String, userAgent: String = "curlew-tests", _ browser: PlainBrowser
  ) async throws -> Reply {
    try await change(number, "{\"state\": \"\(state)\"}", userAgent: userAgent, browser)
  }

  private func numbers(_ browser: PlainBrowser, _ query: String = "") async throws -> [Int] {
    try await browser.list(path + query).map(\.number)
  }

  @Test(.sandbox) func `a closed issue leaves the list until it is reopened`() async throws {
    let before = try await numbers(browser)
    let closedBefore = try await numbers(browser, "?state=closed")
    let number = before[2]
    let reply = try await change(number, to: "closed", browser)
    let closed = try reply.decode(IssueShape.self)
    #expect(reply.status == 200 && reply.header("ETag") == nil)
    #expect(closed.number == number && closed.state == "closed")
    #expect(closed.closed_at == today && closed.updated_at == today)
    #expect(reply.text.contains("\"state_reason\":\"completed\""))
    #expect(try await numbers(browser) == before.filter { $0 != number })
    let closedAfter = try await numbers(browser, "?state=closed")
    #expect(Set(closedAfter) == Set(closedBefore).union([number]))
    #expect(try await browser.get("\(path)/\(number)").text == reply.text)

    let reopened = try await change(number, to: "open", browser)
    let issue = try reopened.decode(IssueShape.self)
    #expect(reopened.status == 200)
    #expect(issue.number == number && issue.state == "open" && issue.closed_at == nil)
    #expect(reopened.text.contains("\"state_reason\":\"reopened\""))
    #expect(try await numbers(browser) == before)
    #expect(try await numbers(browser, "?state=closed") == closedBefore)
  }

  @Test(.sandbox) func `an issue that was closed long ago is reopened`() async throws {
    let open = try await numbers(browser)
    let closed = try await numbers(browser, "?state=closed")
    #expect(try await change(closed[0], to: "open", browser).status == 200)
    #expect(try await numbers(browser) == (open + [closed[0]]).sorted(by: >))
  }

  @Test(.sandbox) func `an issue that a user has opened is closed`() async throws {
    let reply = try await browser.get(path, method: "POST", body: #"{"title": "Ink"}"#)
    let number = try reply.decode(IssueShape.self).number
    #expect(try await numbers(browser).first == number)
    #expect(try await change(number, to: "closed", browser).status == 200)
    #expect(try await numbers(browser).first != number)
    let issue = try await browser.get("\(path)/\(number)").decode(IssueShape.self)
    #expect(issue.title == "Ink" && issue.state == "closed")
  }

  @Test func `a state that is repeated changes nothing`() async throws {
    let time = Mutex(today)
    try await withSandbox(.init { $0.now = { time.withLock { $0 } } }) { _, browser in
      let before = try await browser.get(path)
      let number = try before.decode([IssueShape].self)[0].number
      #expect(try await change(number, to: "open", browser).status == 200)
      #expect(try await browser.get(path).text == before.text)
      let first = try await change(number, to: "closed", browser)
      time.withLock { $0 += 3_600 }
      let second = try await change(number, to: "closed", browser)
      #expect(second.status == 200 && second.text == first.text)
      let reopened = try await change(number, to: "open", browser).decode(IssueShape.self)
      #expect(reopened.updated_at == today + 3_600)
    }
  }

  @Test(.sandbox) func `the second newest issue is refused`() async throws {
    let before = try await numbers(browser)
    for state in ["closed", "open"] {
      let reply = try await change(before[1], to: state, browser)
      let error = try reply.decode(ErrorShape.self)
      #expect(reply.status == 403 && error.status == "403")
      #expect(error.message == "Must have admin rights to Repository.")
    }
    #expect(before[1] == 22)
    #expect(try await numbers(browser) == before)
  }

  @Test(
    .sandbox,
    arguments: [
      ("{}", "missing_field", "state"), (#"{"state": ""}"#, "invalid", "state"),
      (#"{"state": "Closed"}"#, "invalid", "state"), (#"{"state": 1}"#, "invalid", "state"),
      (#"{"state": null}"#, "invalid", "state"), (#"{"title": "Ink"}"#, "invalid", "title"),
      (#"{"state": "closed", "labels": []}"#, "invalid", "labels"),
    ])
  func `what is no state is refused`(body: String, code: String, field: String) async throws {
    let before = try await numbers(browser)
    let reply = try await change(before[0], body, browser)
    let error = try reply.decode(ErrorShape.self)
    #expect(reply.status == 422 && error.message == "Validation Failed")
    #expect(error.errors == [.init(resource: "Issue", code: code, field: field)])
    #expect(error.documentation_url.hasSuffix("#update-an-issue"))
    #expect(try await numbers(browser) == before)
  }

  @Test(.sandbox, arguments: ["", "{", "[1]", "\"closed\""])
  func `what is no object is refused`(body: String) async throws {
    let before = try await numbers(browser)
    let reply = try await change(before[0], body, browser)
    let error = try reply.decode(ErrorShape.self)
    #expect(reply.status == 400 && error.message == "Problems parsing JSON")
    #expect(try await numbers(browser) == before)
  }

  @Test(.sandbox) func `two clients at once lose no change`() async throws {
    let issues = try await numbers(browser).filter { $0 != 22 }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in issues {
        for client in ["one", "two"] {
          group.addTask {
            try await change(number, to: "closed", userAgent: client, browser).status
          }
        }
      }
      var statuses: [Int] = []
      for try await status in group { statuses.append(status) }
      return statuses
    }
    #expect(statuses == Array(repeating: 200, count: 10))
    #expect(try await numbers(browser) == [22])
  }

  @Test(.sandbox) func `each sandbox has its own states`() async throws {
    let before = try await numbers(browser)
    _ = try await change(before[0], to: "closed", browser)
    let others = try await withSandbox { _, other in try await numbers(other) }
    #expect(others == before)
    #expect(try await numbers(browser, "?state=all").count == 8)
  }
}
