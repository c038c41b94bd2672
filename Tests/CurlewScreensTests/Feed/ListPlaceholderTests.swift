import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Where a list shows each of its loads, by their kinds.
@Suite(.timeLimit(.minutes(1)))
struct ListPlaceholderTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(Feed { try await pages.next(for: $0) })
  }

  func reply(_ result: Result<Page<Entry>, any Error>) {
    pages.reply(result)
    probe.settle()
  }

  /// The kinds of the failures that are presented as alerts.
  var alerts: [LoadKind] { probe.activity.alerts.filter { !$0.isInline }.map(\.kind) }

  @Test func `first load and its failure are the placeholder's`() throws {
    #expect(probe.state.placeholder == .initial)
    probe.send(.load)
    probe.advance(by: .milliseconds(200))
    #expect(probe.state.placeholder == .loading && probe.state.footer == nil)
    #expect(probe.activity.coversContent)
    reply(.failure(Broken()))
    let failure = try #require(probe.state.failure)
    #expect(probe.state.placeholder == .failed(failure) && alerts == [])
    probe.send(.retry)
    reply(.success(Page([])))
    #expect(probe.state.placeholder == .empty(term: ""))
  }

  @Test func `pull to refresh has no other indicator, also over an empty list`() {
    probe.send(.load)
    reply(.success(Page([])))
    probe.advance(by: .seconds(1))
    probe.send(.refresh)
    probe.advance(by: .milliseconds(200))
    #expect(!probe.activity.loading.isEmpty && !probe.activity.coversContent)
    reply(.success(Page(1...3)))
    probe.advance(by: .seconds(1))
    probe.send(.refresh)
    probe.advance(by: .milliseconds(200))
    #expect(!probe.activity.loading.isEmpty && !probe.activity.coversContent)
    #expect(probe.state.placeholder == nil && probe.state.footer == nil)
    reply(.failure(Broken()))
    #expect(alerts == [.refresh])
    #expect(probe.state.placeholder == nil && probe.state.items.count == 3)
  }

  @Test func `next page and its failure are the footer's alone`() throws {
    probe.send(.load)
    reply(.success(Page(1...3, next: .number(2))))
    guard case .more = probe.state.footer else {
      return #expect(probe.state.footer == .loading, "a footer that asks for the next page")
    }
    probe.advance(by: .seconds(1))
    probe.send(.more)
    probe.advance(by: .milliseconds(200))
    #expect(probe.state.footer == .loading && !probe.activity.coversContent)
    reply(.failure(Broken()))
    let failure = try #require(probe.state.failure)
    #expect(probe.state.footer == .failed(failure) && alerts == [])
    probe.send(.retry)
    reply(.success(Page(4...5)))
    #expect(probe.state.footer == nil && probe.state.status == .ended)
  }

  @Test func `list without rows keeps its footer while there are pages`() {
    probe.send(.load)
    reply(.success(Page(1...1, next: .number(2))))
    probe.send(.refresh)
    reply(.success(Page(1...1, next: .number(2))))
    var state = probe.state
    state.remove(1)
    #expect(state.items == [] && state.placeholder == nil && state.footer != nil)
  }

  @Test func `search shows a failure in its list, or as an alert above old results`() {
    let found = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Search<String> { try await found.next(for: $0) })
    probe.send(.term("a"))
    probe.send(.submit)
    found.reply(.failure(Broken()))
    probe.settle()
    #expect(probe.activity.alerts.map(\.isInline) == [true])
    probe.send(.retry)
    found.reply(.success(["x"]))
    probe.settle()
    probe.send(.term("ab"))
    probe.send(.submit)
    found.reply(.failure(Broken()))
    probe.settle()
    #expect(probe.activity.alerts.map(\.isInline) == [false])
  }

  @Test func `countdown of a failure is in the list that shows it`() throws {
    var presenter = ListPresenter<Feed<Entry>, Entry>(\.self) { $0 }
    probe.send(.load)
    reply(.failure(Busy(.seconds(3))))
    func countdown(_ seconds: Int) -> String { UserTexts.current.tryingAgain(inSeconds: seconds) }
    let message = try #require(probe.state.placeholder?.message(in: probe.activity))
    #expect(message.hasSuffix(countdown(3)))
    probe.advance(by: .seconds(3))
    reply(.success(Page(1...3, next: .number(2))))
    probe.send(.more)
    reply(.failure(Busy(.seconds(3))))
    let footer = try #require(presenter.update(to: probe.state, probe.activity)?.rows.last)
    #expect(
      presenter.footer?.placeholder.message(in: probe.activity)?.hasSuffix(countdown(3)) == true)
    #expect(presenter.update(to: probe.state, probe.activity) == nil)
    probe.advance(by: .seconds(1))
    #expect(
      presenter.footer?.placeholder.message(in: probe.activity)?.hasSuffix(countdown(2)) == true)
    #expect(presenter.update(to: probe.state, probe.activity)?.changed == [footer])
  }
}
