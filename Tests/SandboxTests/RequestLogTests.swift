import Testing

@testable import Sandbox

// Filling the log over sockets would take half a minute.
@Suite(.timeLimit(.minutes(1)))
struct RequestLogTests {
  @Test func logKeepsTheNewestAndTheirStatuses() {
    let log = RequestLog()
    for number in 0..<35_000 {
      let ticket = log.arrived(.init(method: "GET", path: "/\(number)"))
      log.answered(ticket, status: number % 600)
    }
    let entries = log.entries
    #expect(entries.count == 10_000)
    #expect(entries.first == .init(method: "GET", path: "/25000", status: 25_000 % 600))
    #expect(entries.last == .init(method: "GET", path: "/34999", status: 34_999 % 600))
  }

  @Test(arguments: [
    ("page=2&api_key=secret", "page=2&api_key=REDACTED"), ("api_key=", "api_key=REDACTED"),
    ("api_key", "api_key=REDACTED"), ("%61pi%5Fkey=secret&x", "api_key=REDACTED&x"),
    ("API_KEY=secret&&api_key=a=b", "api_key=REDACTED&&api_key=REDACTED"),
    ("q=api_key&key=1", "q=api_key&key=1"), ("", ""),
  ])
  func keyIsMasked(query: String, masked: String) {
    #expect(RequestLog.masked(query) == masked)
  }

  @Test func lateResponseToAForgottenRequestIsIgnored() {
    let log = RequestLog()
    let old = log.arrived(.init(method: "GET", path: "/old"))
    log.forget()
    let new = log.arrived(.init(method: "GET", path: "/new"))
    log.answered(old, status: 500)
    #expect(log.entries == [.init(method: "GET", path: "/new")])
    log.answered(new, status: 200)
    #expect(log.entries == [.init(method: "GET", path: "/new", status: 200)])
  }
}
