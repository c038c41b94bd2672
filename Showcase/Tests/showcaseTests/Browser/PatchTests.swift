import Application
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

extension BrowserTests {
  @Suite struct PatchTests {
    private static let rounds = Fuzz.size(3, full: 200)

    @Test(.serialized, arguments: 0..<rounds)
    func `changes end in a fresh rendering and keep what the user did`(round: Int) async throws {
      try await withPatchSite { site in
        let seed = Fuzz.seed() &+ UInt64(round)
        try await site.open(seed: seed)
        let report = try await site.browser.tellPatchStory(seed: seed, steps: 50)

        #expect(report.problems.isEmpty, "with CURLEW_SEED=\(seed)")
        // The story has tested something.
        #expect(report.kept["element", default: 0] > 500)
        #expect(report.kept["focus", default: 0] > 0)
      }
    }

    @Test func `what somebody removed comes back when it changes`() async throws {
      try await withPatchSite { site in
        try await site.open(seed: 1)
        let report = try await site.browser.removeAndChange()

        #expect(report.problems.isEmpty)
        #expect(report.kept["element"] == 1)
        let streams = site.addresses.filter { $0.hasPrefix("/patches/live?") }
        #expect(streams.count == 2, "another connection brought everything")
      }
    }

    @Test func `results with the same id are shown once`() async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      try await serve(DogsPage(DogSearch(Twins()))) { port in
        try await browsers.withBrowser(Browser.Options()) { browser in
          func rows() async throws -> [String] {
            try await browser.run(
              "return [...document.querySelectorAll('#list li a')].map((row) => row.textContent);",
              returning: [String].self)
          }
          try await browser.open("http://127.0.0.1:\(port)/dogs?q=a")
          try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
          #expect(try await rows() == ["x", "a", "b"])
          try await browser.type("b", into: "#q")
          try await eventually("the first row came") { try await rows().first == "new" }
          #expect(try await rows() == ["new", "x", "a", "b"])
        }
      }
    }

    @Test func `no address names the session`() async throws {
      try await withPatchSite { site in
        try await site.open(seed: 1)
        let session = try #require(
          try await site.browser.attribute("data-live-session", of: "#live"))
        _ = try await site.browser.tellPatchStory(seed: 1, steps: 2)

        let addresses = site.addresses
        #expect(addresses.contains { $0.hasPrefix("/patches/live?address=") })
        #expect(addresses.contains("/patches/events"))
        #expect(!addresses.contains { $0.contains(session) })
      }
    }
  }
}

/// A source that returns two dogs with the same name.
private struct Twins: DogSource {
  func dogs(named text: String) async throws -> [Dog] {
    ((text == "a" ? [] : ["new"]) + ["x", "a", "a", "b"]).map { Dog(name: $0) }
  }
}

extension PatchSite {
  /// Opens the page with the tree for a seed, and waits until it is live.
  fileprivate func open(seed: UInt64) async throws {
    try await browser.open("\(origin)/patches?seed=\(seed)")
    try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
  }
}
