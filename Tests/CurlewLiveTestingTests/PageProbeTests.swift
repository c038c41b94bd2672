import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Hummingbird
import Testing

/// Pages as a user sees them, with and without JavaScript.
@Suite(.timeLimit(.minutes(1)))
struct PageProbeTests {
  let clock = TestClock(executor: TestExecutor())

  func router(_ dogs: Dogs = Dogs(), key: SigningKey = .random()) -> Router<BasicRequestContext> {
    let router = Router()
    for page in [DogsPage(screen: dogs), AddedPage()] as [any LivePage] {
      func add(_ page: some LivePage) {
        router.add(page, clock: clock, key: key) { live in
          HTML(
            trusted: """
              <!doctype html><html><head><title>\(live.title)</title>\(live.head.text)</head><body>\
              <i data-live-slot="count">\(live.slots["count"]?.text ?? "")</i>\(live.content.text)</body></html>
              """)
        }
      }
      add(page)
    }
    return router
  }

  @Test(arguments: [true, false]) func `a form finds rows`(javaScript: Bool) async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock, javaScript: javaScript)
    #expect(page.rows == ["Akita Like", "Beagle Like", "Briard Like"])
    #expect(page.title == "Dogs" && page.status == .ok)
    try await page.type("Search", "b")
    try await page.choose("Order", "Z to A")
    try await page.click("Find")
    try await page.advance(by: .milliseconds(500))
    #expect(page.rows == ["Briard Like", "Beagle Like"])
    #expect(page.address == "/dogs?q=b&sort=reverse" && page.title == "b · Dogs")
    #expect(page.fields["Search"] == "b" && page.fields["Order"] == "Z to A")
    #expect(page.document.has("#plain") == !javaScript)
  }

  @Test func `typed text is searched after the quiet time`() async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock)
    try await page.type("Search", "ak")
    #expect(page.rows.count == 3 && page.fields["Search"] == "ak")
    try await page.advance(by: .milliseconds(499))
    #expect(page.rows.count == 3)
    try await page.advance(by: .milliseconds(1))
    #expect(page.rows == ["Akita Like"])
    #expect(page.announcements == ["1 dogs"])
  }
}
