import CurlewScreens
import CurlewTesting
import Testing

/// A user's refresh asks the source itself.
@Suite(.timeLimit(.minutes(1))) struct ReloadTests {
  @Test func onlyARefreshReloads() {
    let pages = PendingResponses<Bool, Page<Entry>>()
    let probe = ScreenProbe(Feed { _ in try await pages.next(for: Reload.isRequested) })
    for event in [Feed<Entry>.Event.load, .more, .refresh] {
      probe.send(event)
      pages.reply(.success(Page([Entry(probe.state.items.count)], next: .number(2))))
      probe.settle()
    }
    #expect(pages.requested == [false, false, true])

    let details = PendingResponses<Bool, Entry>()
    let detail = ScreenProbe(
      Detail<Int, Never, Entry> { _ in try await details.next(for: Reload.isRequested) })
    for event in [Detail<Int, Never, Entry>.Event.show(1), .refresh, .show(2)] {
      detail.send(event)
      details.reply(.success(Entry(1)))
      detail.settle()
    }
    #expect(details.requested == [false, true, false])
  }
}
