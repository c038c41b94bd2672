import CurlewScreens
import Foundation

/// What all pages of one thing have around it.
struct DetailView {
  let isMissing: Bool
  /// Whether nothing on the page is its heading yet.
  let isUntitled: Bool
  /// Nothing is there yet, and that takes its time.
  let isSkeleton: Bool
  /// Whether what is not known yet is on its way.
  let isFilling: Bool
  let activity: ActivityView
  let age: AgeView?

  /// - Parameters:
  ///   - detail: The screen.
  ///   - isKnown: Whether a part of it is known.
  ///   - activity: What the screen does.
  ///   - isOffline: Whether the servers are out of reach.
  ///   - retry: The address that asks again.
  init<ID, Known, Content>(
    _ detail: Detail<ID, Known, Content>.State, isKnown: Bool, activity: Activity,
    isOffline: Bool, retry: String, now: Date
  ) {
    isMissing = detail.content == .empty
    isUntitled = !isKnown && !isMissing
    isSkeleton = activity.isVisible && detail.content.isLoading && !isKnown
    isFilling = detail.content.isLoading
    self.activity = ActivityView(
      activity, failure: detail.content.failure, isEmpty: !isKnown, retry: retry)
    age = isKnown ? AgeView(asOf: detail.asOf, isOffline: isOffline, now: now) : nil
  }
}
