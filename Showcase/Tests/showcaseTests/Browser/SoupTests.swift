import CurlewLive
import CurlewScreens
import CurlewTesting
import Hummingbird
import ShowcaseTestSupport
import Synchronization
import Testing

extension BrowserTests {
  /// Markup that browsers read differently from how it is nested.
  @Suite struct SoupTests {
    private static let rounds = Fuzz.size(2, full: 200)

    @Test(.serialized, arguments: 0..<rounds)
    func `changes of tag soup end in a fresh rendering`(round: Int) async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      let page = SoupPage()
      try await serve(
        page,
        prepare: { router in
          router.get("/fresh") { _, _ in
            page.render(page.screen.newest.soup.withLock { $0 }, ScreenActivity()).text
          }
        }
      ) { port in
        try await browsers.withBrowser(Browser.Options()) { browser in
          let seed = Fuzz.seed() &+ UInt64(round)
          try await browser.open("http://127.0.0.1:\(port)/soup?seed=\(seed)")
          try await eventually("it is live") { try await browser.has("[data-live-ready]") }
          let problems = try await browser.run(soupScript, returning: [String].self)
          #expect(problems == [], "with CURLEW_SEED=\(seed)")
        }
      }
    }
  }
}

private let soupScript = """
  const root = document.querySelector("#live");
  const problems = [];
  const step = (number) => new Promise((done) => {
    const look = () => {
      if (root.querySelector("#count").textContent !== String(number)) return;
      root.removeEventListener("live:state", look);
      done();
    };
    root.addEventListener("live:state", look);
    const field = root.querySelector("#step");
    field.value = number;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  for (let number = 1; number <= 60 && problems.length < 3; number += 1) {
    const before = root.innerHTML;
    await step(number);
    const text = await (await fetch("/fresh")).text();
    // As in a document with scripts, where `noscript` is text.
    const fresh = document.createElement("div");
    fresh.innerHTML = text;
    if (root.innerHTML !== fresh.innerHTML) {
      problems.push(`${before}\\n to ${text}\\n is ${root.innerHTML}\\n not ${fresh.innerHTML}`);
    }
  }
  return problems;
  """

private struct SoupPage: LivePage {
  struct Content: Screen {
    enum Event { case start(UInt64), step }
    /// The current state, for rendering it from scratch.
    final class Newest: Sendable {
      let soup = Mutex(TagSoup(seed: 0))
    }
    let newest = Newest()
    var initial: TagSoup { TagSoup(seed: 0) }

    func handle(_ event: Event, _ state: inout TagSoup, _ work: inout Work<TagSoup>) {
      switch event {
      case .start(let seed): state = TagSoup(seed: seed)
      case .step: state.step()
      }
      newest.soup.withLock { [state] in $0 = state }
    }
  }

  let screen = Content()
  let path = "/soup"

  func events(for query: LiveQuery, in state: TagSoup) -> [Content.Event] {
    [.start(query["seed"].flatMap { UInt64($0) } ?? 0)]
  }
  func event(for action: LiveAction) -> Content.Event? { action.name == "step" ? .step : nil }
  func address(of state: TagSoup) -> LiveAddress { LiveAddress() }
  func title(of state: TagSoup) -> String { "Soup" }
  func render(_ state: TagSoup, _ activity: ScreenActivity) -> HTML {
    HTML(
      trusted: """
        <input id="step" hidden data-live-input="step"><output id="count">\(state.count)</output>\(state.markup)
        """)
  }
}
