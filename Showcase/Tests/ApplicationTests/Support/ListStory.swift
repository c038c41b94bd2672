import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

/// A random sequence of events for a screen with a paginated list, and the conditions that must
/// hold.
///
/// There are four pages of ten items; each page repeats the last item of the previous page.
struct ListStory<S: Screen, Query: Sendable, Item: Identifiable & Equatable & Sendable>
where Item.ID: Sendable {
  let probe: ScreenProbe<S>
  let pages: PendingResponses<Query, Listing<Item>>
  let list: (S.State) -> Feed<Item>.State
  let event: (Feed<Item>.Event) -> S.Event
  /// Returns the requested page, from 1.
  let number: (Query) -> Int
  /// Returns an item for a query by its index in the whole list.
  let item: (Query, Int) -> Item
  /// Returns the expected item for a state by its index; `nil` while an older query's items are
  /// shown.
  let shown: (S.State, Int) -> Item?
  var lastPage = 4

  var feed: Feed<Item>.State { list(probe.state) }

  func page(for query: Query) -> Listing<Item> {
    let number = number(query)
    let places = max(0, number * 10 - 11)..<number * 10
    return Listing(
      places.map { item(query, $0) }, nextPage: number < lastPage ? number + 1 : nil,
      total: lastPage * 10)
  }

  /// Responds to a random pending request, including cancelled requests.
  func respond(_ generator: inout SeededGenerator, mayFail: Bool = true) {
    guard !pages.waiting.isEmpty else { return }
    let place = generator.pick(0...pages.waiting.count - 1)
    let fails = mayFail && generator.chance(oneIn: 4)
    pages.reply(fails ? .failure(Broke()) : .success(page(for: pages.waiting[place])), to: place)
    probe.settle()
  }

  /// Performs a random user action on the list.
  func turn(_ generator: inout SeededGenerator) {
    switch generator.pick(0...9) {
    case 0: probe.send(event(.load))
    case 1: probe.send(event(.more))
    case 2...3: if let item = feed.items.last { probe.send(event(.appeared(item.id))) }
    case 4: probe.send(event(.refresh))
    case 5: probe.send(event(.retry))
    case 6 where generator.chance(oneIn: 4):
      probe.runner.suspend()
      probe.runner.resume()
      probe.settle()
    default: respond(&generator)
    }
  }

  func problem() -> String? {
    if pages.active.count != (feed.isLoading ? 1 : 0) {
      return "loading: \(feed.isLoading), transfers: \(pages.active)"
    }
    if feed.isLoading != probe.runner.isWorking, probe.clock.sleepers == 0 {
      return "working unseen, or seen idle"
    }
    for (place, item) in feed.items.enumerated() {
      if let wanted = shown(probe.state, place), wanted != item {
        return "\(item) is shown in the place of \(wanted)"
      }
    }
    if feed.isLoading, feed.failure != nil { return "a spinner and an error" }
    return nil
  }

  /// Responds to all pending requests, and loads the list to its end.
  func end(_ generator: inout SeededGenerator) -> String? {
    probe.advance(by: .seconds(1))
    for _ in 0..<40 {
      while !pages.waiting.isEmpty {
        respond(&generator, mayFail: false)
        if let problem = problem() { return problem }
      }
      switch feed.status {
      case .idle, .empty: return nil
      case .loading: return "loading sticks: \(feed.status)"
      case .content: probe.send(event(.more))
      case .failed: probe.send(event(.retry))
      case .ended:
        if probe.runner.isWorking { return "work is left over" }
        let count = feed.items.count
        return count == lastPage * 10 ? nil : "it ends with \(count) items"
      }
    }
    return "never ends"
  }
}
