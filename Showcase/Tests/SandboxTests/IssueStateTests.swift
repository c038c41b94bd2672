import Foundation
import Sandbox
import Synchronization
import Testing

/// Issues that users close or reopen.
@Suite(.timeLimit(.minutes(1)))
struct IssueStateTests {
  private let path = "/repos/apple/cups/issues"

  private func change(
    _ number: Int, to state: String, userAgent: String = "curlew-tests", _ browser: PlainBrowser
  ) async throws -> Reply {
    try await browser.get(
      "\(path)/\(number)", method: "PATCH", userAgent: userAgent,
      body: "{\"state\": \"\(state)\"}")
  }

  private func numbers(_ browser: PlainBrowser, _ query: String = "") async throws -> [Int] {
    try await browser.list(path + query).map(\.number)
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
