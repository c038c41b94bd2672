import CurlewTesting
import Sandbox
import Testing

extension BrowserTests {
  @Suite("The board") struct BoardPageTests {
    @Test(.site(isTimed: true)) func `one stream shows in two windows`() async throws {
      let windows = [try await browser.tab, try await browser.newTab(.window)]
      for window in windows {
        try await browser.select(window)
        try await site.openLive("/watch/board")
        try await site.waitFor("#issues .row")
      }
      let newest = try await browser.text("#status")
      try await eventually("an issue is opened") {
        clock.advance(by: .seconds(2))
        return try await browser.text("#status") != newest
      }
      let last = try await browser.text("#status")
      try await browser.select(windows[0])
      try await eventually("it shows in the other window") {
        try await browser.text("#status") == last
      }
      #expect(try await browser.text("#issues li:first-child .number").contains("/"))
      #expect(site.requests.count { $0 == "/sandbox/opened-issues" } == 1)
    }
  }
}
