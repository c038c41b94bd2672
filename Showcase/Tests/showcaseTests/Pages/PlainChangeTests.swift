import Curlew
import CurlewLiveTesting
import Domain
import Platform
import Sandbox
import Testing

/// Changes of stars and issue states without JavaScript.
@Suite(.timeLimit(.minutes(1)))
struct PlainChangeTests {
  private func pressed(_ name: String, on page: PlainPage) -> String? {
    page.elements.matching(".star button").first { $0.attributes["aria-label"] == "Star \(name)" }?
      .attributes["aria-pressed"]
  }

  private func lists(_ key: String, on page: PlainPage) -> Bool {
    page.elements.matching("#issues li").contains { $0.attributes["data-key"] == key }
  }

  @Test(.served) func `a star is a form`() async throws {
    let detail = try await served.open("/repositories/ReactiveX/RxSwift")
    #expect(pressed("ReactiveX/RxSwift", on: detail) == "false")
    let starred = try await detail.submit(form: ".star")
    #expect(pressed("ReactiveX/RxSwift", on: starred) == "true")
    #expect(starred.text("[data-live-slot=starred]") == "1")
    let list = try await served.open("/repositories?language=swift")
    #expect(pressed("ReactiveX/RxSwift", on: list) == "true")
    let without = try await starred.submit(form: ".star")
    #expect(pressed("ReactiveX/RxSwift", on: without) == "false")
    #expect(without.text("[data-live-slot=starred]") == "")
  }

  @Test(.served) func `a star that is refused is said`() async throws {
    let page = try await served.open("/repositories/vapor/vapor").submit(form: ".star")
    #expect(pressed("vapor/vapor", on: page) == "false")
    #expect(page.text("#refusal p")?.contains("Repository access blocked") == true)
    // A retry link would only reload the page.
    #expect(page.elements.count("#refusal a") == 0)
  }

  @Test(.served) func `an issue is closed and reopened`() async throws {
    let open = try await served.open("/issues?q=apple/cups&issue=21")
    let closed = try await open.submit(form: "#change")
    #expect(closed.has("#closed"))
    #expect(!lists("apple/cups 21", on: closed))
    let other = try await served.open("/issues?q=apple/cups&issue=21")
    #expect(other.has("#closed"))
    let reopened = try await other.submit(form: "#change")
    #expect(!reopened.has("#closed"))
    #expect(lists("apple/cups 21", on: try await served.open("/issues?q=apple/cups")))
  }

  @Test(.served) func `an issue that may not be closed stays`() async throws {
    let page = try await served.open("/issues?q=apple/cups&issue=22").submit(form: "#change")
    #expect(page.text("#refusal p")?.contains("Must have admin rights") == true)
    #expect(!page.has("#closed"))
    #expect(lists("apple/cups 22", on: page))
  }

  @Test(.served) func `the last open issue stays in its panel`() async throws {
    let address = "/issues?q=early-perch-and-sons/velvet-galley&issue=11"
    let page = try await served.open(address).submit(form: "#change")
    #expect(page.has("#closed") && page.has("#panes"))
    #expect(!page.has("#empty") && !page.has("#issues li"))
    #expect(try await !served.open(address).submit(form: "#change").has("#closed"))
  }

  @Test(.served) func `stars that the server got elsewhere show when they are loaded again`()
    async throws
  {
    let page = try await served.open("/repositories/ReactiveX/RxSwift").submit(form: ".star")
    #expect(pressed("ReactiveX/RxSwift", on: page) == "true")
    let client = Client(baseURL: try BaseURL(served.sandbox.baseURL))
    try await client.send(GitHub.star(try #require(RepositoryName("moya/moya")), true))
    let other = try await page.submit(form: ".star")
    #expect(pressed("ReactiveX/RxSwift", on: other) == "false")
    // The write has invalidated the stars, and no connected page has reloaded them.
    let moya = try await served.open("/repositories/moya/moya")
    #expect(pressed("moya/moya", on: moya) == "true")
  }
}
