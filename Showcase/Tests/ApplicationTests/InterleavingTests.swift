import Application
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Testing

/// Random interleavings of user actions, time and responses for each screen of the showcase.
@Suite(.timeLimit(.minutes(2)))
struct InterleavingTests {
  // MARK: Lists

  @Test func `repositories keep their promises`() {
    tellStories("Repositories", count: 1_000) { generator in
      let host = HeldCodeHost()
      let recent = RecentValues<RepositoryName, Repository>()
      let story = ListStory(
        probe: ScreenProbe(Repositories(host: host, recent: recent)), pages: host.listed,
        list: \.search.list, event: { .search(.list($0)) }, number: \.page,
        item: { Self.repository($1, in: $0.language) },
        shown: { state, place in
          // The rows of the previous language stay until the new rows are loaded.
          let list = state.search.list
          let isLater = list.status.kind == .first
          return isLater ? nil : state.search.term.map { Self.repository(place, in: $0) }
        })
      for _ in 0..<generator.pick(5...50) {
        switch generator.pick(0...9) {
        case 0...2:
          story.probe.send(.search(.term(generator.pick(["swift", "c", " c", "go", ""]))))
        case 3: story.probe.send(.search(.submit()))
        case 4: story.probe.advance(by: .milliseconds(generator.pick(1...600)))
        default: story.turn(&generator)
        }
        if let problem = story.problem() { return problem }
        if story.probe.state.search.query.isEmpty, story.feed != .init() {
          return "a list of nothing"
        }
        if !story.feed.items.allSatisfy({ recent[$0.name] != nil }) { return "forgotten" }
      }
      if let problem = story.end(&generator) { return problem }
      let state = story.probe.state.search
      return state.query == state.term ?? "" ? nil : "\(state.query) was never searched"
    }
  }

  static func repository(_ place: Int, in language: String) -> Repository {
    // A name of letters and digits is always valid.
    Repository.samples([place], in: language)[0]
  }

  @Test func `movies keep their promises`() {
    tellStories("Movies", count: 1_000) { generator in
      let catalogue = HeldCatalogue()
      let story = ListStory(
        probe: ScreenProbe(Movies(catalogue: catalogue)), pages: catalogue.pages, list: \.feed,
        event: { .feed($0) }, number: \.page,
        item: { .sample($1, "\($0.list) in \($0.language)") },
        shown: { .sample($1, "\($0.filter.list) in \($0.filter.language)") })
      for _ in 0..<generator.pick(5...50) {
        switch generator.pick(0...9) {
        case 0: story.probe.send(.filter(.list(generator.pick(MovieList.allCases))))
        case 1: story.probe.send(.filter(.language(generator.pick(["en-US", "de-DE", "xx"]))))
        default: story.turn(&generator)
        }
        if let problem = story.problem() { return problem }
      }
      return story.end(&generator)
    }
  }

  @Test func `top movies keep their promises`() {
    tellStories("TopMovies", count: 1_000) { generator in
      let store = HeldStore()
      let story = ListStory(
        probe: ScreenProbe(TopMovies(store: store)), pages: store.lists, list: \.feed,
        event: { .feed($0) }, number: { _ in 1 },
        item: { .sample("\($1)", "\($0.limit) in \($0.country)") },
        shown: { .sample("\($1)", "\($0.filter.limit) in \($0.filter.country)") }, lastPage: 1)
      for _ in 0..<generator.pick(5...50) {
        switch generator.pick(0...9) {
        case 0: story.probe.send(.filter(.country(generator.pick(["us", "de", "xx"]))))
        case 1: story.probe.send(.filter(.limit(generator.pick([10, 25, 7]))))
        default: story.turn(&generator)
        }
        if let problem = story.problem() { return problem }
      }
      return story.end(&generator)
    }
  }

  // MARK: Details

  @Test func `repository detail keeps its promises`() {
    tellStories("RepositoryDetail", count: 1_000) { generator in
      let host = HeldCodeHost()
      let recent = RecentValues<RepositoryName, Repository>()
      recent.remember(Repository.samples(0...1), by: \.name)
      let probe = ScreenProbe(RepositoryDetail(host: host, recent: recent))
      let names = (0...3).map { Self.repository($0, in: "").name }
      for _ in 0..<generator.pick(5...40) {
        switch generator.pick(0...7) {
        case 0...1: probe.send(.detail(.show(generator.pick(names))))
        case 2: probe.send(.detail(.refresh))
        case 3: probe.send(.detail(.retry))
        case 4: probe.send(.issues)
        default: Self.respond(host, probe, missing: names[3], &generator)
        }
        if let problem = Self.problem(probe, host) { return problem }
      }
      while !host.named.waiting.isEmpty {
        Self.respond(host, probe, missing: names[3], &generator)
      }
      return Self.problem(probe, host) ?? (probe.runner.isWorking ? "loading sticks" : nil)
    }
  }

  static func respond(
    _ host: HeldCodeHost, _ probe: ScreenProbe<RepositoryDetail>, missing: RepositoryName,
    _ generator: inout SeededGenerator
  ) {
    guard !host.named.waiting.isEmpty else { return }
    let place = generator.pick(0...host.named.waiting.count - 1)
    let name = host.named.waiting[place]
    let found = name == missing ? nil : Repository(name: name, watchers: 1)
    host.named.reply(generator.chance(oneIn: 3) ? .failure(Broke()) : .success(found), to: place)
    probe.settle()
  }

  static func problem(
    _ probe: ScreenProbe<RepositoryDetail>, _ host: HeldCodeHost
  ) -> String? {
    let state = probe.state
    if host.named.active != (state.detail.content.isLoading ? [state.detail.id] : []) {
      return "loads \(host.named.active) for \(state)"
    }
    if let shown = state.repository, shown.name != state.detail.id {
      return "shows another: \(state)"
    }
    if state.detail.content == .empty, state.repository != nil { return "shows nobody: \(state)" }
    return nil
  }

  // MARK: Searches

  @Test func `issue tracker keeps its promises`() {
    tellStories("IssueTracker", count: 1_000) { generator in
      let host = HeldCodeHost()
      let probe = ScreenProbe(IssueTracker(TrackIssues(host: host)))
      for _ in 0..<generator.pick(5...50) {
        switch generator.pick(0...11) {
        case 0...3:
          probe.send(.search(.term(generator.pick(["a/b", "a/c", "a/none", "a", "", "a/b "]))))
        case 4: probe.send(.search(generator.pick([.submit(), .list(.retry)])))
        case 5: probe.send(generator.pick([.pick(1), .pick(2), .close]))
        case 6...7: probe.advance(by: .milliseconds(generator.pick(1...600)))
        default: Self.respond(host, &generator, mayFail: true)
        }
        probe.settle()
        if let problem = Self.problem(probe, host) { return problem }
      }
      probe.advance(by: .seconds(1))
      while !host.named.waiting.isEmpty || !host.issues.waiting.isEmpty {
        Self.respond(host, &generator, mayFail: false)
        probe.settle()
        if let problem = Self.problem(probe, host) { return problem }
      }
      let search = probe.state.search
      if search.list.isLoading || probe.runner.isWorking { return "loading sticks: \(search)" }
      if search.hint == nil, !search.query.isEmpty, search.term != search.query {
        return "\(search.query) was never searched"
      }
      return nil
    }
  }

  /// Responds to one of the pending requests to a host, of either kind.
  static func respond(_ host: HeldCodeHost, _ generator: inout SeededGenerator, mayFail: Bool) {
    let (named, issues) = (host.named.waiting, host.issues.waiting)
    guard !named.isEmpty || !issues.isEmpty else { return }
    let fails = mayFail && generator.chance(oneIn: 4)
    let place = generator.pick(0...named.count + issues.count - 1)
    if place < named.count {
      let found = named[place].name == "none" ? nil : Repository(name: named[place])
      host.named.reply(fails ? .failure(Broke()) : .success(found), to: place)
    } else {
      let name = issues[place - named.count]
      let listing = Listing([Domain.Issue.sample(1, of: name), .sample(2, of: name)])
      host.issues.reply(fails ? .failure(Broke()) : .success(listing), to: place - named.count)
    }
  }

  static func problem(_ probe: ScreenProbe<IssueTracker>, _ host: HeldCodeHost) -> String? {
    let (state, search) = (probe.state, probe.state.search)
    let live = host.named.active + host.issues.active
    if live.count > 1 { return "two transfers at a time: \(live)" }
    let list = search.list
    if list.isLoading != (live.count == 1) { return "loading: \(search), transfers: \(live)" }
    if let name = live.first, name.description != search.term { return "\(name) for \(search)" }
    if list.status == .content || list.status == .ended,
      list.items.contains(where: { $0.repository.description != search.term })
    {
      return "issues of another repository: \(search)"
    }
    if list.status == .empty, search.term != "a/none" { return "empty: \(search)" }
    if let picked = state.picked, picked.number != state.selection { return "picked: \(state)" }
    if search.query.isEmpty || search.hint != nil, list.status != .idle {
      return "results without a name: \(search)"
    }
    return nil
  }

  /// The dogs arrive after a delay on the clock, so this test varies the time.
  @Test func `dog search keeps its promises`() {
    tellStories("DogSearch", count: 1_000) { generator in
      let executor = TestExecutor()
      let clock = TestClock(executor: executor)
      let runner = Runner(
        DogSearch(ClockedDogs(clock: clock)), clock: clock, executor: .custom(executor))
      for _ in 0..<generator.pick(5...50) {
        switch generator.pick(0...7) {
        case 0...3: runner.send(.term(generator.pick(["g", "gr", "Ákita", "poodle", "", " s "])))
        case 4: runner.send(generator.pick([.submit, .retry]))
        default: clock.advance(by: .milliseconds(generator.pick(1...1_500)))
        }
        executor.drain()
        if let problem = Self.problem(runner.state, sleepers: clock.sleepers) { return problem }
      }
      clock.advance(by: .seconds(2))
      let state = runner.state
      if state.isLoading || runner.isWorking || clock.sleepers > 0 { return "sticks: \(state)" }
      if !state.query.isEmpty, state.term != state.query { return "never searched: \(state)" }
      return Self.problem(state, sleepers: 0)
    }
  }

  static func problem(_ state: DogSearch.State, sleepers: Int) -> String? {
    let counts = ["g": 4, "gr": 2, "Ákita": 1, "poodle": 0, "s": 3]
    let wanted = state.term.flatMap { counts[$0] }
    if sleepers > 2 { return "searches pile up" }
    switch state.results {
    case .idle: return state.term == nil ? nil : "idle: \(state)"
    case .content(let dogs, _): return dogs.count == wanted ? nil : "other dogs: \(state)"
    case .empty: return wanted == 0 ? nil : "empty: \(state)"
    case .loading: return state.term == nil ? "loading nothing: \(state)" : nil
    case .failed: return "nothing fails here: \(state)"
    }
  }
}
