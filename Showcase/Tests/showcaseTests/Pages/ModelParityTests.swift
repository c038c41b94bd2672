import CurlewLive
import CurlewScreens
import Testing
import showcase

/// The scripts of the browser and terminal tests, performed as by the views of the apps.
///
/// A model runs while its view is visible, bindings send events, and the view disappears and
/// reappears after each line.
@MainActor
@Suite(.timeLimit(.minutes(3)))
struct ModelParityTests {
  @Test(.served, arguments: PlayedScript.all)
  func `a model that comes and goes says the same`(script: PlayedScript) async throws {
    let entry = try #require(ScreenEntry(argument: script.name))
    try await compare(script, entry.page(served.sources))
  }

  private func compare<Page: ShowcasePage>(_ script: PlayedScript, _ page: Page) async throws {
    let runner = Runner(page.screen, executor: .mainActor, activity: page.activity)
    let model = ScreenModel(page.screen, activity: page.activity)
    var view = Task { await model.run() }
    let query = try #require(page.query(of: script.address))
    for event in page.events(for: query, in: runner.state) { runner.send(event) }
    await runner.waitUntilIdle()
    for event in page.events(for: query, in: model.state) { await model.send(event).finished() }
    #expect(said(page, model.state, model.activity) == said(page, runner.state, runner.activity))

    for line in script.lines {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let action = LiveAction(name: "\(words[0])", value: words.count == 2 ? "\(words[1])" : "")
      let event = try #require(page.event(for: action))
      runner.send(event)
      await runner.waitUntilIdle()

      // The view disappears during the work, and reappears.
      let sent = model.send(event)
      view.cancel()
      await view.value
      view = Task { await model.run() }
      await sent.finished()
      try await eventually("'\(line)' has ended") { !model.isWorking }
      #expect(
        said(page, model.state, model.activity) == said(page, runner.state, runner.activity),
        "after '\(line)'")
    }
    view.cancel()
    await view.value
  }

  /// Returns the status without the issues opened meanwhile, whose times vary.
  private func said<Page: ShowcasePage>(
    _ page: Page, _ state: Page.Content.State, _ activity: ScreenActivity
  ) -> String {
    let text = page.view(of: state, activity).status
    if let news = text.firstMatch(of: /^\d+ new issues? in (\S+), the newest is #/) {
      return "Watching \(news.1)"
    }
    let isWatched = text.hasPrefix("Watching ") || text.hasPrefix("Paused.")
    return isWatched ? String(text.prefix { $0 != ":" && $0 != "." }) : text
  }
}
