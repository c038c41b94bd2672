import CurlewLiveTesting
import Domain
import Sandbox
import Testing

/// The pages without JavaScript.
@Suite(.timeLimit(.minutes(1)))
struct ServedPageTests {
  @Test(.served) func `hints and nothing found and examples work`() async throws {
    let page = try await served.open("/issues")
    #expect(page.text(".note")?.contains("Without JavaScript") == true)
    let hint = try await page.submit(["q": "app"])
    #expect(hint.text("#status")?.hasPrefix("Type a repository as owner/name") == true)
    #expect(hint.value("#q") == "app")
    #expect(served.requests.isEmpty)
    #expect(try await hint.submit(["q": "apple/nothing"]).has("#empty"))
    #expect(page.elements.attributes("href", of: ".examples a")[2] == "/issues?q=apple/cups")
    let found = try await page.follow(".examples a[href=/issues?q=apple/cups]")
    #expect(found.has("#issues .row"))
    #expect(found.text("#status")?.contains("in apple/cups") == true)
  }

  @Test(.served(sandbox: .init { $0.latency = .seconds(5) }, isTimed: true))
  func `content that takes long comes by itself`() async throws {
    var page = try await served.openSoon("/issues?q=apple/cups")
    #expect(page.has("#skeleton"))
    #expect(page.reload == 2)
    served.sandbox.update { $0.latency = .zero }
    for _ in 0..<20 where !page.has("#issues .row") { page = try await page.again() }
    #expect(page.text("#status")?.contains("in apple/cups") == true)
    #expect(page.reload == nil)
    #expect(served.requests == ["/repos/apple/cups", "/repos/apple/cups/issues"], "once")
  }

  @Test(.served) func `watching shows the newest and can be reloaded`() async throws {
    let page = try await served.open("/watch?q=apple/swift")
    #expect(page.has("#issues .row"))
    #expect(page.elements.attribute("href", of: "noscript #reload") == "/watch?q=apple/swift")
    #expect(page.text("#status")?.contains("Watching apple/swift") == true)
  }

  @Test(.served) func `an issue's address opens directly`() async throws {
    let name = try #require(RepositoryName("moya/moya"))
    let issue = try #require(try await served.trackIssues(name).items.first)
    let page = try await served.open("/issues?q=moya/moya&issue=\(issue.number)")
    #expect(page.value("#q") == "moya/moya")
    #expect(page.text("#picked-title") == issue.title)
    #expect(page.text("title")?.hasPrefix("#\(issue.number) ") == true)
  }

  /// An old or closed issue is not in the list of the newest issues.
  @Test(.served) func `an issue that is not listed is loaded`() async throws {
    let name = try #require(RepositoryName("apple/swift"))
    let listed = Set(try await served.trackIssues(name).items.map(\.number))
    var unlisted: Domain.Issue?
    for number in (1..<(listed.max() ?? 1)).reversed()
    where unlisted == nil && !listed.contains(number) {
      unlisted = try await served.host.issue(number, of: name)
    }
    let issue = try #require(unlisted)
    let page = try await served.open("/issues?q=apple/swift&issue=\(issue.number)")
    #expect(page.texts("#picked-title") == [issue.title])
    #expect(page.has("#issues .row"))
    let list = try await served.open("/issues?q=apple/swift")
    #expect(list.text("#unpicked h2") == "apple/swift")
    #expect(list.texts("#unpicked .label b").compactMap(Int.init).first.map { $0 > 1 } == true)
    let discussed = try #require(list.texts("#unpicked li a").first)
    #expect(try await list.follow("#unpicked li a").text("#picked-title") == discussed)
    let missing = try await served.open("/issues?q=apple/swift&issue=999999")
    #expect(!missing.has("#unpicked h2"))
    #expect(missing.texts("#unpicked p") == ["There is no issue #999999."])
  }

  @Test(.served) func `a name of no repository is not found`() async throws {
    let page = try await served.open("/repositories/nobody/nothing")
    #expect(page.has("#missing"))
    #expect(page.text("#missing strong") == "nobody/nothing")
    #expect(page.texts("#status") == ["There is no repository nobody/nothing."])
    #expect(try await page.follow("#missing a").has("#idle"))
    // A path with an invalid repository name is an unknown address.
    let nowhere = try await served.open("/repositories/-/x")
    #expect(nowhere.status == 404)
    #expect(nowhere.text("h1") == "Page not found")
  }
}
