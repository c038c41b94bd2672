import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A parent that keeps the states of its tabs, also while they are loading, and puts them back.
@Suite(.timeLimit(.minutes(1))) struct KeptStateTests {
  @Test(arguments: [false, true])
  func `a list that is put back while it loaded loads again`(isDeclared: Bool) {
    let pages = Transfers<PageKey?, Page<Entry>>()
    let tabs = Tabs(content: Feed<Entry> { try await pages.next(for: $0) }, isDeclared: isDeclared)
    let probe = ScreenProbe(tabs)
    probe.send(.content(.load))
    probe.send(.open(1, .load))
    #expect(pages.live.count == 1)
    pages.reply(.success(Page([2])), to: 1)
    probe.settle()
    #expect(probe.state.shown.items == [2])
    probe.send(.open(0, .load))
    #expect(probe.state.shown.isLoading && pages.live.count == 1)
    pages.reply(.success(Page([9])))
    probe.settle()
    #expect(probe.state.shown.items.isEmpty, "the first load is dead")
    pages.reply(.success(Page([1])))
    probe.settle()
    #expect(probe.state.shown.items == [1] && !probe.state.shown.isLoading)
  }

  @Test func `a list that is put back without an event is not loading`() {
    let pages = Transfers<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Tabs(content: Feed<Entry> { try await pages.next(for: $0) }))
    probe.send(.content(.load))
    probe.send(.select(1))
    #expect(!probe.runner.isWorking)
    probe.send(.select(0))
    #expect(probe.state.shown.status == .idle)
    probe.send(.content(.load))
    pages.reply(.success(Page([1], next: .number(2))), to: 1)
    probe.settle()
    probe.send(.content(.more))
    probe.send(.select(1))
    probe.send(.select(0))
    #expect(probe.state.shown.status == .content && probe.state.shown.items == [1])
  }

  @Test func `a dead load that replaces a running one is not loading`() {
    let pages = Transfers<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Tabs(content: Feed<Entry> { try await pages.next(for: $0) }))
    probe.send(.content(.load))
    probe.send(.open(1, .load))
    // Both states are equal: only their loads differ.
    probe.send(.select(0))
    #expect(probe.state.shown.status == .idle)
    #expect(!probe.runner.isWorking)
  }

  @Test func `a list that is put back in the same change loads on`() {
    let pages = Transfers<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Tabs(content: Feed<Entry> { try await pages.next(for: $0) }))
    probe.send(.content(.load))
    probe.send(.select(0))
    #expect(probe.state.shown.isLoading && pages.requested.count == 1)
    pages.reply(.success(Page([1])))
    probe.settle()
    #expect(probe.state.shown.items == [1])
  }

  @Test func `a search that is put back while it loaded searches again`() {
    let replies = Transfers<String, [String]>()
    let probe = ScreenProbe(Tabs(content: Search { try await replies.next(for: $0) }))
    probe.send(.content(.term("a")))
    probe.send(.content(.submit))
    probe.send(.select(1))
    probe.send(.select(0))
    #expect(probe.state.shown.results == .idle && probe.state.shown.term == nil)
    probe.send(.content(.submit))
    replies.reply(.success(["1"]), to: 1)
    probe.settle()
    #expect(probe.state.shown.items == ["1"])
  }

  @Test func `a paged search that is put back searches again`() {
    let pages = Transfers<String, Page<Entry>>()
    let probe = ScreenProbe(
      Tabs(content: PagedSearch<Entry> { text, _ in try await pages.next(for: text) }))
    probe.send(.content(.term("a")))
    probe.send(.content(.submit()))
    pages.reply(.success(Page([1], next: .number(2))))
    probe.settle()
    probe.send(.content(.term("b")))
    probe.send(.content(.submit()))
    probe.send(.select(1))
    probe.send(.select(0))
    #expect(!probe.state.shown.list.isLoading)
    #expect(probe.state.shown.term == nil && probe.state.shown.shownTerm == "a")
    probe.send(.content(.list(.load)))
    #expect(pages.live == ["b"])
    pages.reply(.success(Page([2])), to: 1)
    probe.settle()
    #expect(probe.state.shown.list.items == [2] && probe.state.shown.shownTerm == "b")
  }

  @Test func `a detail that is put back while it loaded loads again`() {
    let details = Transfers<Int, Entry?>()
    let probe = ScreenProbe(
      Tabs(content: Detail<Int, Never, Entry> { try await details.next(for: $0) }))
    probe.send(.content(.show(1)))
    probe.send(.select(1))
    probe.send(.open(0, .show(1)))
    #expect(probe.state.shown.content.isLoading && details.live == [1])
    details.reply(.success(Entry(1)), to: 1)
    probe.settle()
    #expect(probe.state.shown.content.latest == 1)
  }

  @Test func `no kept list loads for ever in any story`() {
    tellStories("Tabs<Feed>", count: 3_000) { generator in
      let pages = Transfers<PageKey?, Page<Entry>>()
      let tabs = Tabs(content: Feed<Entry> { try await pages.next(for: $0) })
      let story = FeedInterleavingTests.Story(
        pages: pages, probe: ScreenProbe(tabs), event: { .content($0) }, list: { $0.shown })
      for _ in 0..<generator.pick(5...60) {
        switch generator.pick(0...11) {
        case 0, 1: story.probe.send(.select(generator.pick(0...2)))
        case 2: story.probe.send(.open(generator.pick(0...2), .load))
        case 3: story.probe.send(.cancel(.feed))
        default: story.turn(&generator)
        }
        if let problem = story.problem() { return problem }
      }
      return story.end(&generator)
    }
  }

  @Test func `no kept search loads for ever in any story`() {
    tellStories("Tabs<Search>", count: 3_000) { generator in
      let replies = Transfers<String, [String]>()
      let probe = ScreenProbe(Tabs(content: Search { try await replies.next(for: $0) }))
      for _ in 0..<generator.pick(5...60) {
        switch generator.pick(0...9) {
        case 0, 1: probe.send(.select(generator.pick(0...2)))
        case 2: probe.send(.cancel(.search))
        case 3, 4: probe.send(.content(.term(generator.pick(["", "a", "b"]))))
        case 5: probe.send(.content(.submit))
        case 6: probe.send(.open(generator.pick(0...2), .retry))
        case 7: probe.advance(by: .milliseconds(generator.pick(1...600)))
        default:
          guard !replies.waiting.isEmpty else { continue }
          let place = generator.pick(0...replies.waiting.count - 1)
          let fails = generator.chance(oneIn: 4)
          replies.reply(
            fails ? .failure(Broken()) : .success([replies.waiting[place]]), to: place)
          probe.settle()
        }
        let state = probe.state.shown
        if state.isLoading != (replies.live.count == 1) {
          return "loading: \(state.isLoading), searches: \(replies.live)"
        }
        if state.isLoading, replies.live != [state.term] {
          return "\(replies.live) for \(state)"
        }
        if !state.items.isEmpty, state.items != [state.shownTerm] { return "others': \(state)" }
      }
      return nil
    }
  }

  @Test func `no kept detail loads for ever in any story`() {
    tellStories("Tabs<Detail>", count: 3_000) { generator in
      let details = Transfers<Int, Entry?>()
      let probe = ScreenProbe(
        Tabs(content: Detail<Int, Never, Entry> { try await details.next(for: $0) }))
      for _ in 0..<generator.pick(5...60) {
        switch generator.pick(0...8) {
        case 0, 1: probe.send(.select(generator.pick(0...2)))
        case 2: probe.send(.cancel(.detail))
        case 3, 4: probe.send(.content(.show(generator.pick(1...3))))
        case 5: probe.send(.open(generator.pick(0...2), .show(generator.pick(1...3))))
        case 6: probe.send(.content(generator.pick([.refresh, .retry, .clear])))
        default:
          guard !details.waiting.isEmpty else { continue }
          let place = generator.pick(0...details.waiting.count - 1)
          let fails = generator.chance(oneIn: 4)
          details.reply(
            fails ? .failure(Broken()) : .success(Entry(details.waiting[place])), to: place)
          probe.settle()
        }
        let state = probe.state.shown
        if details.live != (state.content.isLoading ? [state.id] : []) {
          return "loads \(details.live) for \(state)"
        }
        if let content = state.content.latest, content.id != state.id { return "another: \(state)" }
      }
      return nil
    }
  }
}
