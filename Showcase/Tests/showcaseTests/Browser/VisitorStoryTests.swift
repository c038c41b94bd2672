import CurlewTesting
import Hummingbird
import ShowcaseTestSupport
import Testing

extension BrowserTests {
  /// The random stories of `VisitorStoryTests` in two real browsers, with two windows each.
  ///
  /// `CURLEW_STORIES=50` tells that many stories.
  @Suite struct VisitorStoryTests {
    @Test(.serialized, arguments: 0..<Fuzz.stories(full: 12))
    func `nothing of one user reaches another browser`(story: Int) async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      let seed = Fuzz.seed() &+ UInt64(story)
      var random = SeededGenerator(seed: seed)
      let site = AccountSite(
        admitsGuests: random.chance(oneIn: 2), clock: TestClock(), grace: .seconds(2))
      let time = Task {
        while !Task.isCancelled {
          try await Task.sleep(for: .milliseconds(10))
          site.clock.advance(by: .milliseconds(10))
        }
      }
      defer { time.cancel() }
      try await browsers.withBrowser(.init()) { one in
        try await browsers.withBrowser(.init()) { two in
          let router = site.router()
          let server = StoryServer(router)
          try await server.start()
          do {
            try await tell(seed, site, router, random, in: ["one": one, "two": two], at: server)
          } catch {
            await server.stop()
            throw error
          }
          await server.stop()
        }
      }
    }

    private func tell(
      _ seed: UInt64, _ site: AccountSite, _ router: Router<BasicRequestContext>,
      _ random: SeededGenerator, in browsers: [String: Browser], at server: StoryServer
    ) async throws {
      var steps: [String] = []
      var opened: Set<String> = []
      do {
        let story = try await VisitorStory(site, router, random) { name in
          try await ChromiumTab(
            #require(browsers[name]), called: name, isFirst: opened.insert(name).inserted, server,
            site)
        }
        for _ in 1...14 where story.problem == nil {
          steps.append("")
          try await story.step { steps[steps.count - 1] += " \($0)" }
        }
        #expect(story.problem == nil, "CURLEW_SEED=\(seed) after\(steps.joined(separator: ","))")
      } catch {
        Issue.record("CURLEW_SEED=\(seed): \(error) after\(steps.joined(separator: ","))")
        throw error
      }
    }
  }
}
