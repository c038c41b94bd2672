import CurlewLive
import CurlewScreens
import Foundation

/// What is around one thing on a page.
struct DetailView: TemplateValues {
  let isMissing: Bool
  /// Whether nothing on the page is its heading yet.
  let isUntitled: Bool
  /// Whether nothing is there yet, and that takes its time.
  let isSkeleton: Bool
  /// Whether what is not known yet is on its way.
  let isFilling: Bool
  let activity: ActivityView
  let age: AgeView?

  static let names: TemplateNames<Self> = [
    "isMissing": \.isMissing, "isUntitled": \.isUntitled, "isSkeleton": \.isSkeleton,
    "isFilling": \.isFilling, "activity": \.activity, "age": \.age,
  ]

  /// - Parameters:
  ///   - isKnown: Whether a part of it is known.
  ///   - retry: The address that asks again.
  init<Inner, ID, Known, Content>(
    _ detail: Detail<ID, Known, Content>.State, of tracked: Tracked<Inner>.State, isKnown: Bool,
    retry: String, now: Date
  ) {
    isMissing = detail.content == .empty
    isUntitled = !isKnown && !isMissing
    isSkeleton = tracked.activity.isVisible && detail.content.isLoading && !isKnown
    isFilling = detail.content.isLoading
    activity = ActivityView(
      tracked.activity, failure: detail.content.failure, isEmpty: !isKnown, retry: retry)
    age =
      isKnown
      ? AgeView(asOf: detail.content.asOf, isOffline: tracked.content.isOffline, now: now) : nil
  }
}
