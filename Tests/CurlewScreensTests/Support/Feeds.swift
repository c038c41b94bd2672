import CurlewScreens

extension Feed.State {
  /// Whether a request for the next page loads it.
  var canLoadMore: Bool {
    var (state, work) = (self, Work<Self>())
    Feed<Item>(load: { _ in Page([]) }).handle(.more, &state, &work)
    return work.started == [.feed]
  }
}
