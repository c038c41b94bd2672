import Application
import CurlewLiveTesting
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The home page: three frames with the same state, beside a naive search.
@Suite(.timeLimit(.minutes(1)))
struct HomePageTests {
  private let servers = HeldServers()
  private let page: DrawnPage<HomePage>

  init() { page = DrawnPage(HomePage(servers), at: "/") }

  private func dogs(_ names: String...) -> [Dog] { names.map { Dog(name: $0) } }

  @Test func `frames follow the same keystroke`() {
    page.act("term", "gre")
    #expect(page.elements.attribute("value", of: "#q") == "gre")
    #expect(page.elements.text(".pill") == "gre")
    #expect(page.elements.text(".terminal [data-key=typed]") == "dogs> term gre")
    #expect(page.elements.text("#printed") == "Waiting for you to stop typing…")
    #expect(page.elements.text("#status") == "Waiting for you to stop typing…")
    #expect(page.elements.attribute("href", of: ".bar a") == "/dogs?q=gre")
    #expect(!page.elements.has(".pill.is-loading"))
    page.reply(dogs("Great Dane"), to: servers.dogs)
    page.probe.advance(by: .milliseconds(500))
    #expect(page.elements.has(".pill.is-loading"))
    #expect(page.elements.text("#printed") == "Looking for gre…")
    page.reply(dogs("Great Dane", "Great Pyrenees"), to: servers.dogs)
    #expect(page.elements.text("#printed") == "2 results")
    #expect(page.elements.text("#status") == "2 results")
    for list in ["#phone", "#list"] {
      #expect(page.elements.texts("\(list) li") == ["Great Dane", "Great Pyrenees"], "\(list)")
    }
    #expect(page.elements.texts("#naive li") == ["Great Dane"], "the response that came last")
  }

  @Test func `the naive frame says what is wrong`() {
    for text in ["g", "gr"] { page.act("term", text) }
    #expect(page.elements.texts(".numbers dd").prefix(3) == ["2", "0", "2"])
    page.reply(dogs("Giant Schnauzer"), to: servers.dogs)
    #expect(page.elements.has(".naive.is-wrong"))
    #expect(page.elements.text(".shown") == "Shows results for “g”, the field says “gr”")
    page.reply(dogs("Great Dane"), to: servers.dogs)
    #expect(!page.elements.has(".naive.is-wrong"))
    #expect(page.elements.text(".shown") == "Shows results for “gr”")
    page.probe.advance(by: .milliseconds(500))
    #expect(page.elements.texts(".numbers dd").prefix(3) == ["2", "1", "2"])
  }

  /// Covers all states: idle, loading, found, not found, and failed.
  @Test(arguments: ["", "a", "great", "nothing", "broken"])
  func `the terminal frame is what the terminal prints`(text: String) {
    struct Kennel: DogSource {
      func dogs(named text: String) async throws -> [Dog] {
        guard text != "broken" else { throw Broken() }
        return text == "nothing" ? [] : [Dog(name: text)]
      }
    }
    let terminal = DrawnPage(DogsPage(DogSearch(Kennel())), at: "/dogs")
    if !text.isEmpty { terminal.act("term", text) }
    terminal.probe.advance(by: .seconds(1))
    let page = DrawnPage(HomePage(Kennel()), at: "/")
    if !text.isEmpty { page.act("term", text) }
    page.probe.advance(by: .seconds(1))
    let printed = page.elements.text("#printed") ?? ""
    #expect(printed == terminal.lines.last ?? "")
  }

  @Test func `latency comes from the slider and has bounds`() {
    for (sent, shown) in [("1500", "1500"), ("9000", "3000"), ("-1", "0"), ("much", "0")] {
      page.act("latency", sent)
      #expect(page.elements.attribute("value", of: "#latency") == shown)
    }
  }

  @Test func `only five rows are sent and the rest is counted`() {
    page.act("term", "b")
    page.reply((1...7).map { Dog(name: "b\($0)") }, to: servers.dogs)
    #expect(page.elements.count("#naive li") == 5)
    #expect(page.elements.texts(".more").filter { !$0.isEmpty } == ["and 2 more"])
  }

  @Test func `it says how to get it and where it is`() {
    let package = #".package(url: "https://github.com/curlew/curlew", branch: "main")"#
    #expect(page.elements.text(".install code") == package)
    #expect(
      page.elements.attributes("href", of: ".ways a") == [
        "https://github.com/curlew/curlew#documentation",
        "https://github.com/curlew/curlew",
      ])
    #expect(page.elements.count(".apps svg") == page.elements.count(".apps a"))
  }
}
