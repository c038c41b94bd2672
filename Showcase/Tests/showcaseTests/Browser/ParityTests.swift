import CurlewLive
import CurlewScreens
import Foundation
import Sandbox
import Synchronization
import Testing
import showcase

/// A script of user actions, and its results in any environment.
struct PlayedScript: Sendable, CustomTestStringConvertible {
  /// The screen's name for the command.
  let name: String
  /// The initial address.
  let address: String
  /// The user's actions, as input lines of `showcase screen`.
  let lines: [String]
  /// The address to which the last line navigates.
  var destination: String?

  var testDescription: String { name }

  static let all = [
    PlayedScript(
      name: "issues", address: "/issues",
      lines: [
        "term moya", "term moya/moya", "term nobody/nothing", "term apple/cups", "term ",
      ]),
    PlayedScript(
      name: "repositories", address: "/repositories",
      lines: [
        "term rust", "more", "term klingon", "term swift", "filter", "minimum 10000", "apply",
        "refresh",
        "pick vapor/vapor",
      ],
      destination: "/repositories/vapor/vapor"),
    PlayedScript(
      name: "repository", address: "/repositories/apple/swift", lines: ["issues"],
      destination: "/issues?q=apple/swift"),
    PlayedScript(
      name: "movies", address: "/movies/now-playing",
      lines: ["more", "list top-rated", "language de-DE", "more", "list now-playing"]),
    PlayedScript(
      name: "itunes", address: "/itunes", lines: ["country gb", "limit 10", "refresh", "limit 50"]),
    PlayedScript(
      name: "watch", address: "/watch",
      lines: ["term moya", "term moya/moya", "pause", "resume", "term nobody/nothing", "term "]),
    PlayedScript(name: "dogs", address: "/dogs", lines: ["term great", "term zebra", "term "]),
  ]
}

extension BrowserTests {
  @Suite("A script shows the same everywhere")
  struct ParityTests {
    /// Long enough to observe each state.
    private let latency = 150

    @Test(.serialized, arguments: PlayedScript.all)
    func `same states in the same order`(script: PlayedScript) async throws {
      var options = Sandbox.Options()
      options.latency = .milliseconds(latency)
      try await withSite(sandbox: options) { site in
        // All three run concurrently: after each line, the browser waits for the final status of
        // the directly driven screen.
        let (ends, end) = AsyncStream<String>.makeStream()
        async let printing = terminal(script)
        async let playing = direct(script, on: site, after: end)
        let shown = steady(try await browser(script, awaiting: ends, on: site))

        let (opening, played) = try await playing
        #expect(!played.isEmpty || script.destination != nil)
        let printed = try await printing
        #expect(steady(printed.states) == steady(opening + played))
        #expect(printed.destination == script.destination)

        // The final status after each line was awaited; a slow browser may skip intermediate
        // states.
        #expect(shown.isSubsequence(of: steady(played)), "\(shown) of \(steady(played))")
        if let destination = script.destination { try await site.waitForAddress(destination) }
      }
    }

    /// Returns the states without the issues opened meanwhile, whose times vary.
    private func steady(_ states: [String]) -> [String] {
      states.map(steady).distinct(after: "")
    }

    private func steady(_ text: String) -> String {
      // A slow browser may show a watched repository together with its first new issues.
      if let news = text.firstMatch(of: /^\d+ new issues? in (\S+), the newest is #/) {
        return "Watching \(news.1)"
      }
      let isWatched = text.hasPrefix("Watching ") || text.hasPrefix("Paused.")
      return isWatched ? String(text.prefix { $0 != ":" && $0 != "." }) : text
    }

    // MARK: Direct events

    /// The status texts while a screen opens, and while lines are performed.
    private typealias Played = (opening: [String], played: [String])

    /// Performs a script.
    ///
    /// - Parameter end: Receives the final status after each line.
    private func direct(
      _ script: PlayedScript, on site: Site, after end: AsyncStream<String>.Continuation
    ) async throws -> Played {
      defer { end.finish() }
      let entry = try #require(ScreenEntry(argument: script.name))
      return try await play(script, entry.page(site.sources)) { end.yield(steady($0).last ?? "") }
    }

    /// Sends the events directly to the screen, and returns the status texts of its states.
    @MainActor
    private func play<Page: ShowcasePage>(
      _ script: PlayedScript, _ page: Page, afterEach: ([String]) -> Void
    ) async throws -> Played {
      let states = Mutex<[String]>([])
      let box = Box<Page.Content>()
      let runner = Runner(page.screen, executor: .mainActor, activity: page.activity) {
        guard let runner = box.runner else { return }
        let said = page.view(of: runner.state, runner.activity).status
        states.withLock { $0.append(said) }
      }
      box.runner = runner
      let query = try #require(page.query(of: script.address))
      for event in page.events(for: query, in: runner.state) { runner.send(event) }
      await runner.waitUntilIdle()
      let count = states.withLock { $0.count }
      func said() -> [String] { states.withLock { $0 } }
      let opening = said().prefix(count).distinct(after: "")
      func played() -> [String] {
        said().dropFirst(count).distinct(after: opening.last ?? "").filter { !$0.isEmpty }
      }
      for line in script.lines {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let action = LiveAction(name: "\(words[0])", value: words.count == 2 ? "\(words[1])" : "")
        runner.send(try #require(page.event(for: action)))
        await runner.waitUntilIdle()
        afterEach(played())
      }
      return (opening.filter { !$0.isEmpty }, played())
    }

    private final class Box<Content: Screen>: Sendable {
      private let state = Mutex<Runner<Content>?>(nil)
      var runner: Runner<Content>? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
      }
    }

    // MARK: In a terminal

    private func terminal(
      _ script: PlayedScript
    ) async throws -> (states: [String], destination: String?) {
      let outcome = try await Command.run(
        ["screen", script.name, script.address, "--latency", "\(latency)"],
        input: script.lines.joined(separator: "\n") + "\n")
      #expect(outcome.status == 0, "\(outcome.error)")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      let destination = lines.last { $0.hasPrefix("→ ") }
      return (lines.filter { !$0.hasPrefix("→ ") }, destination.map { String($0.dropFirst(2)) })
    }

    // MARK: In a browser

    private func browser(
      _ script: PlayedScript, awaiting ends: AsyncStream<String>, on site: Site
    ) async throws -> [String] {
      // Without this observer, lists load no pages by themselves, which would depend on the
      // window's height.
      try await site.browser.devTools(
        "Page.addScriptToEvaluateOnNewDocument",
        ["source": "delete window.IntersectionObserver;"])
      try await site.openLive(script.address)
      try await site.browser.run(
        """
        window.said = [document.querySelector("#status").textContent];
        window.acknowledged = 0;
        addEventListener("live:state", (event) => {
          acknowledged = event.detail.acknowledged;
          const words = document.querySelector("#status").textContent;
          if (words !== said[said.length - 1]) said.push(words);
        });
        """)
      var said: [String] = []
      var ends = ends.makeAsyncIterator()
      for (index, line) in script.lines.enumerated() {
        let isLast = index == script.lines.count - 1
        let before = try await acknowledged(on: site)
        try await perform(line, on: site)
        if isLast, script.destination != nil { break }
        let end = try #require(await ends.next())
        // The status may equal an earlier status, so the acknowledged number identifies the line's
        // result.
        try await eventually("'\(line)' is done") {
          guard try await acknowledged(on: site) > before else { return false }
          said = try await site.browser.evaluate("said")
          return steady(said.filter { !$0.isEmpty }).last ?? "" == end
        }
      }
      return said.dropFirst().filter { !$0.isEmpty }
    }

    /// Returns the number of the newest user action that is included in the page's state.
    private func acknowledged(on site: Site) async throws -> Int {
      try await site.browser.evaluate("acknowledged")
    }

    /// Performs a line by keys and clicks.
    private func perform(_ line: String, on site: Site) async throws {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (String(words[0]), words.count == 2 ? String(words[1]) : "")
      switch name {
      case "term":
        try await site.browser.run("document.querySelector('[data-live-input=term]').select()")
        // Inserts the text at once, as an input method or pasting does; single keys would be
        // separate lines.
        if value.isEmpty {
          try await site.browser.type(Key.backspace)
        } else {
          try await site.browser.devTools("Input.insertText", ["text": value])
        }
      case "country", "limit", "language":
        try await site.browser.run(
          """
          const choice = document.querySelector(`[data-live-input="${arguments[0]}"]`);
          choice.value = arguments[1];
          choice.dispatchEvent(new Event("input", { bubbles: true }));
          """, name, value)
      case "pick":
        try await site.browser.click("[data-key=\"\(value)\"] [data-live-click=pick]")
      case "list", "minimum":
        try await site.browser.click("[data-live-click=\(name)][data-live-value=\"\(value)\"]")
      default:
        try await site.browser.click("[data-live-click=\(name)]")
      }
    }
  }
}

extension [String] {
  /// Returns whether another sequence contains all elements in this order.
  fileprivate func isSubsequence(of other: [String]) -> Bool {
    var rest = other[...]
    return allSatisfy { element in
      guard let index = rest.firstIndex(of: element) else { return false }
      rest = rest[(index + 1)...]
      return true
    }
  }
}

extension Sequence<String> {
  /// Returns the texts that differ from the previous text.
  fileprivate func distinct(after first: String) -> [String] {
    var last = first
    return filter { text in
      defer { last = text }
      return text != last
    }
  }
}
