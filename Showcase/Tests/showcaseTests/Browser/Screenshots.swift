import Domain
import Foundation
import Sandbox
import ShowcaseTestSupport
import Testing

/// The folder for screenshots; `nil` for none.
let screenshotFolder = ProcessInfo.processInfo.environment["CURLEW_SCREENSHOTS"]
  .flatMap { $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory) }

extension BrowserTests {
  /// Every state of every page, checked by axe-core and captured as screenshots for visual review.
  ///
  /// `CURLEW_SCREENSHOTS=/tmp/shots make test FILTER=Screenshots`; `CURLEW_FUZZ` runs the checks
  /// without screenshots.
  @Suite(
    .enabled(
      if: screenshotFolder != nil || Fuzz.size(0, full: 1) == 1,
      "CURLEW_SCREENSHOTS names no folder, and no long run is asked for"))
  struct Screenshots {
    /// Takes screenshots with a width and a colour scheme.
    private struct Camera {
      let site: Site
      let folder: URL?
      let width: Int
      let scheme: String

      func shoot(_ state: String) async throws {
        let name = "\(state)-\(width)-\(scheme)"
        if let axe = Axe.shared {
          #expect(try await axe.violations(on: site.browser) == [], "\(name)")
        }
        guard let folder else { return }
        try await site.browser.screenshot().write(to: folder.appending(path: "\(name).png"))
      }

      /// Opens a page, waits for an element, and takes a screenshot.
      func shoot(_ state: String, _ path: String, _ selector: String) async throws {
        try await site.openLive(path)
        try await site.waitFor(selector)
        if selector.hasPrefix("#list") { try await picturesAreThere() }
        try await shoot(state)
      }

      private func picturesAreThere() async throws {
        try await eventually("the pictures are there") {
          try await site.browser.run(
            """
            return [...document.querySelectorAll("#list img")]
              .filter((one) => one.getBoundingClientRect().top < innerHeight)
              .every((one) => one.complete);
            """, returning: Bool.self)
        }
      }
    }

    private func withCamera(
      _ width: Int, _ scheme: String, sandbox options: Sandbox.Options = .init(),
      hasAccounts: Bool = false, _ body: (Camera) async throws -> Void
    ) async throws {
      let folder = screenshotFolder
      if let folder {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      try await withSite(
        sandbox: options, hasAccounts: hasAccounts, allowing: ["500", "404", "403"]
      ) { site in
        try await site.browser.become(width: width, height: width > 640 ? 900 : 844)
        try await site.browser.prefer(scheme)
        try await body(Camera(site: site, folder: folder, width: width, scheme: scheme))
      }
    }

    /// Clicks an element that may be covered by the bar at the bottom of a phone's screen.
    private func press(_ selector: String, on site: Site) async throws {
      try await site.waitFor(selector)
      try await site.browser.run(
        "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector)
      try await site.browser.click(selector)
    }

    /// The states that can be opened by an address, each with an element that is then present.
    private static let states = [
      ("home", "/", "#q"), ("home-found", "/?q=great", "#list > li"),
      ("issues-idle", "/issues", "#idle"),
      ("issues-hint", "/issues?q=app", "#idle"),
      ("issues-empty", "/issues?q=nobody/nothing", "#empty"),
      ("issues-content", "/issues?q=apple/swift", "#issues .row"),
      ("new-empty", "/issues/new", "#draft"),
      ("repositories-idle", "/repositories", "#idle"),
      ("repositories-empty", "/repositories?language=klingon", "#empty"),
      ("repositories-content", "/repositories?language=swift", "#list > li"),
      ("repositories-page", "/repositories?language=javascript&page=3", "#list > li"),
      ("repository-missing", "/repositories/nobody/nothing", "#missing"),
      ("repository-content", "/repositories/apple/swift", "#repository"),
      ("itunes-content", "/itunes", "#list > li"),
      ("movies-content", "/movies/now-playing", "#list > li"),
      ("movies-german", "/movies/top-rated?language=de-DE", "#list > li"),
      ("movies-japanese", "/movies/top-rated?language=ja-JP", "#list > li"),
      ("movie-content", "/movie/120400?language=de-DE", "#movie"),
      ("movie-missing", "/movie/1", "#missing"), ("watch-idle", "/watch", "#idle"),
      ("watch-missing", "/watch?q=nobody/nothing", "#empty"),
      ("board", "/watch/board", "#issues .row"), ("dogs-idle", "/dogs", "#idle"),
      ("dogs-content", "/dogs?q=g", "#list > li"), ("dogs-empty", "/dogs?q=cat", "#empty"),
    ]

    @Test(.serialized, arguments: [1920, 1280, 390, 320], ["light", "dark"])
    func `addresses`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        for (state, path, selector) in Self.states {
          try await camera.shoot(state, path, selector)
        }
        try await camera.site.open("/nowhere")
        try await camera.shoot("nowhere")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `issues`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        let (site, browser) = (camera.site, camera.site.browser)
        try await site.openIssues(of: "apple/swift")
        let name = try #require(RepositoryName("apple/swift"))
        let issue = try await site.trackIssues(name).items.first { $0.body.count > 400 }
        try await browser.click("[data-key='apple/swift \(issue?.number ?? 0)'] .row")
        try await site.waitFor("#picked")
        try await camera.shoot("issues-picked")
        try await press("#change button", on: site)
        try await site.waitFor("#closed")
        try await camera.shoot("issues-closed")
        site.sandbox.update { $0.latency = .seconds(5) }
        try await site.openLive("/issues")
        try await browser.type("apple/swift" + Key.enter, into: "#q")
        try await site.waitFor("#skeleton")
        try await camera.shoot("issues-loading")
      }
    }

    @Test(.serialized, arguments: [1280, 800, 390, 320], ["light", "dark"])
    func `accounts`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme, hasAccounts: true) { camera in
        let (site, browser) = (camera.site, camera.site.browser)
        try await camera.shoot("account-none", "/issues?q=apple/swift", "#issues .row")
        try await site.open("/sign-in")
        try await site.waitFor("#sign-in")
        try await camera.shoot("account-sign-in")
        try await browser.click("#sign-in [value=bob]")
        try await site.waitFor(".account span")
        try await camera.shoot("account-home")
        try await camera.shoot("account-reader", "/issues?q=apple/cups&issue=21", "#picked")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `pending changes`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme, hasAccounts: true) { camera in
        let (site, browser) = (camera.site, camera.site.browser)
        let issue = "/issues?q=apple/cups&issue=21"
        try await site.open("/sign-in?return=/repositories?language=swift")
        try await browser.click("#sign-in [value=ada]")
        try await site.openLive("/repositories?language=swift")
        try await press("[aria-label='Star vapor/vapor']", on: site)
        try await eventually("it is refused") {
          try await site.texts("#pending .state") == ["Refused"]
        }
        site.sandbox.update { $0.outageEnd = .distantFuture }
        try await press("[aria-label='Star ReactiveX/RxSwift']", on: site)
        try await eventually("it waits") {
          try await site.texts("#pending .state").last == "Waiting for the network"
        }
        try await camera.shoot("pending-stars")
        site.sandbox.update { $0.outageEnd = nil }
        try await camera.shoot("pending-star", "/repositories/vapor/vapor", "#pending")
        try await camera.shoot("pending-issue", issue, "#begin-edit")
        try await press("#begin-edit button", on: site)
        try await site.waitFor("#edit")
        try await camera.shoot("pending-edit")
        try await browser.run(
          """
          return fetch("/issues?q=apple/cups&issue=21", { method: "POST", body: new URLSearchParams({
            "live:submit": "save-issue", issue: "apple/cups 21", title: arguments[0], body: arguments[1],
            "base-title": document.querySelector("[name=base-title]").value,
            version: document.querySelector("[name=version]").value }) }).then(() => true);
          """, HardServers.word, HardServers.sentence)
        try await browser.run("document.querySelector('#issue-title').select()")
        try await browser.type("Mine, with " + HardServers.word + Key.enter)
        try await site.waitFor("#pending .versions")
        site.sandbox.update { $0.outageEnd = .distantFuture }
        try await browser.run("document.querySelector('#comment-text').focus()")
        try await browser.type(HardServers.word)
        try await press("#comment button", on: site)
        try await eventually("it is perhaps sent") {
          try await site.texts("#pending .state").contains("Perhaps sent")
        }
        try await camera.shoot("pending-conflict")
        try await press("#discussion li:last-child", on: site)
        try await camera.shoot("pending-comment")
        try await browser.run("document.querySelector('form.account button').click()")
        try await site.waitFor("#sign-out")
        try await camera.shoot("pending-sign-out")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `repositories`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        let site = camera.site
        try await site.openLive("/repositories?language=swift")
        try await site.scrollToTheEnd()
        try await camera.shoot("repositories-end")
        try await site.openLive("/repositories?language=swift")
        for name in ["ReactiveX/RxSwift", "vapor/vapor"] {
          try await press("[aria-label='Star \(name)']", on: site)
        }
        try await site.waitFor("#refusal")
        try await camera.shoot("repositories-starred")
        try await camera.shoot(
          "repository-starred", "/repositories/ReactiveX/RxSwift", "#repository")
        site.sandbox.update { $0.incompleteResults = true }
        try await camera.shoot("repositories-partial", "/repositories?language=rust", "#list > li")
        site.sandbox.update { $0.incompleteResults = false }
        try await site.openList("/repositories?language=javascript&page=3")
        site.sandbox.update { $0.failureRate = 1 }
        try await site.scrollDown()
        try await site.waitFor("#failure")
        try await camera.shoot("repositories-failed-next")
        try await camera.shoot("repositories-failed", "/repositories?language=go", "#failure")
        try await site.browser.click("#failure button")
        try await site.waitFor("#unloaded")
        try await camera.shoot("repositories-dismissed")
        site.sandbox.update { ($0.failureRate, $0.latency) = (0, .seconds(5)) }
        try await camera.shoot("repositories-loading", "/repositories?language=go", "#skeleton")
        try await camera.shoot("repository-loading", "/repositories/apple/cups", "#skeleton")
        try await camera.shoot("repository-known", "/repositories/vapor/vapor", ".bone")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `waiting`(width: Int, scheme: String) async throws {
      let options = Sandbox.Options { ($0.rateLimit, $0.searchRateLimit) = (2, 1) }
      try await withCamera(width, scheme, sandbox: options) { camera in
        let (site, browser) = (camera.site, camera.site.browser)
        try await site.openIssues(of: "apple/swift")
        try await browser.run("document.querySelector('#q').select()")
        try await browser.devTools("Input.insertText", ["text": "apple/cups"])
        try await site.waitFor("#countdown")
        try await camera.shoot("issues-waiting-kept")
        try await camera.shoot("issues-waiting", "/issues?q=moya/moya", "#countdown")
        try await camera.shoot(
          "repositories-waiting-next", "/repositories?language=c", "#countdown")
        try await camera.shoot("repositories-waiting", "/repositories?language=go", "#countdown")
        try await camera.shoot("repository-waiting", "/repositories/apple/swift", "#countdown")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `movies`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        let site = camera.site
        site.sandbox.update { $0.damagedEntries = 3 }
        try await camera.shoot("itunes-damaged", "/itunes?country=fr", "#left-out")
        try await site.browser.devTools("Network.enable", [String: String]())
        try await site.browser.devTools("Network.setBlockedURLs", ["urls": ["*.svg"]])
        try await camera.shoot("movies-no-pictures", "/movies/top-rated", "#list > li")
        try await camera.shoot("itunes-no-pictures", "/itunes", "#list > li")
        site.sandbox.update { $0.failureRate = 1 }
        try await site.browser.click("#refresh")
        try await site.waitFor("#failure")
        try await camera.shoot("itunes-failed-refresh")
        try await camera.shoot("movies-failed", "/movies/top-rated", "#failure")
        site.sandbox.update { ($0.failureRate, $0.latency) = (0, .seconds(5)) }
        try await camera.shoot("itunes-loading", "/itunes", "#skeleton")
        try await camera.shoot("movies-loading", "/movies/top-rated", "#skeleton")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `watch`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        try await camera.shoot("watch-nothing-new", "/watch?q=apple/swift", "#issues .row")
        try await camera.site.waitFor("#issues li:nth-child(2) .is-new")
        try await camera.shoot("watch-new")
        try await camera.site.browser.click("#control")
        try await camera.site.waitFor("#control[data-live-click=resume]")
        try await camera.shoot("watch-paused")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `new issue`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        let browser = camera.site.browser
        try await camera.site.openLive("/issues/new")
        // On a phone, the bar at the bottom may cover the button.
        try await browser.run("document.querySelector('#draft button').click()")
        try await camera.site.waitFor("[aria-invalid=true]")
        try await camera.shoot("new-problems")
        camera.site.sandbox.update { $0.failureRate = 1 }
        try await browser.type("apple/cups", into: "#repository")
        try await browser.type("Ink" + Key.enter, into: "#title")
        try await camera.site.waitFor("#failure")
        try await camera.shoot("new-failed")
      }
    }

    @Test(.serialized, arguments: [1280, 390], ["light", "dark"])
    func `inspector`(width: Int, scheme: String) async throws {
      try await withCamera(width, scheme) { camera in
        let browser = camera.site.browser
        try await camera.site.openLive("/issues")
        try await browser.click("[data-live-inspect]")
        try await camera.site.waitFor("aside[aria-label=Inspector]")
        try await camera.shoot("inspector-empty")
        camera.site.sandbox.update { ($0.failureRate, $0.latency) = (0.3, .milliseconds(400)) }
        for text in ["apple", "/", "swift"] { try await browser.type(text, into: "#q") }
        try await camera.site.waitForIssues(of: "apple/swift")
        try await browser.run("document.querySelector('#issues li:nth-child(2) .title').click()")
        try await camera.site.waitFor("#picked")
        try await camera.shoot("inspector-used")
      }
    }
  }
}
