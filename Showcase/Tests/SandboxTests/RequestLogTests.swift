import Sandbox
import Testing

// Filling the log over sockets would take half a minute.
@Suite(.timeLimit(.minutes(1)))
struct RequestLogTests {
  @Test func `log keeps the newest and their statuses`() {
    let log = RequestLog()
    for number in 0..<35_000 {
      let id = log.add(.init(method: "GET", path: "/\(number)"))
      log.setStatus(number % 600, of: id)
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
  func `key is masked`(query: String, masked: String) {
    #expect(RequestLog.masked(query) == masked)
  }

  @Test func `late response to a forgotten request is ignored`() {
    let log = RequestLog()
    let old = log.add(.init(method: "GET", path: "/old"))
    log.removeAll()
    let new = log.add(.init(method: "GET", path: "/new"))
    log.setStatus(500, of: old)
    #expect(log.entries == [.init(method: "GET", path: "/new")])
    log.setStatus(200, of: new)
    #expect(log.entries == [.init(method: "GET", path: "/new", status: 200)])
  }
}
