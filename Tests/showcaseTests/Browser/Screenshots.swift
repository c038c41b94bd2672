import Domain
import Foundation
import Sandbox
import Testing

/// Where pictures are wanted.
private let screenshotFolder = ProcessInfo.processInfo.environment["CURLEW_SCREENSHOTS"]
  .flatMap { $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory) }

extension BrowserTests {
  /// Pictures of every state, for people to look at.
  ///
  /// `CURLEW_SCREENSHOTS=/tmp/shots swift test --filter Screenshots`
  @Suite(.enabled(if: screenshotFolder != nil, "CURLEW_SCREENSHOTS names no folder"))
  struct Screenshots {
    @Test(arguments: [1280, 390], ["light", "dark"])
    func everyState(width: Int, scheme: String) async throws {
      let folder = try #require(screenshotFolder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await withSite { site in
        let browser = site.browser
        try await browser.become(width: width, height: width > 640 ? 900 : 844)
        try await browser.prefer(scheme)
        func shoot(_ state: String) async throws {
          let file = folder.appending(path: "\(state)-\(width)-\(scheme).png")
          try await browser.screenshot().write(to: file)
        }

        try await site.openLive()
        try await shoot("idle")
        try await site.openLive("/issues?q=app")
        try await shoot("hint")
        try await site.openLive("/issues?q=nobody/nothing")
        try await site.waitFor("#empty")
        try await shoot("empty")
        try await site.openLive("/issues?q=apple/swift")
        try await site.waitForIssues(of: "apple/swift")
        try await shoot("content")
        let name = try #require(RepositoryName("apple/swift"))
        let issue = try await site.trackIssues(name).first { $0.body.count > 400 }
        try await browser.click("[data-live-value='\(issue?.number ?? 0)']")
        try await site.waitFor("#picked")
        try await shoot("picked")
        try site.sandbox.update { $0.latency = .seconds(5) }
        try await site.openLive()
        try await browser.type("apple/swift" + Key.enter, into: "#q")
        try await site.waitFor("#skeleton")
        try await shoot("loading")
        try site.sandbox.update { options in
          options.latency = .zero
          options.failureRate = 1
        }
        try await site.openLive("/issues?q=apple/swift")
        try await site.waitFor("#failure")
        try await shoot("failed")
      }
    }
  }
}

extension Browser {
  /// Has pages believe that the person prefers `light` or `dark`, and no motion.
  fileprivate func prefer(_ scheme: String) async throws {
    struct Media: Encodable {
      let features: [[String: String]]
    }
    let features = [
      ["name": "prefers-color-scheme", "value": scheme],
      ["name": "prefers-reduced-motion", "value": "reduce"],
    ]
    try await devTools("Emulation.setEmulatedMedia", Media(features: features))
  }
}
