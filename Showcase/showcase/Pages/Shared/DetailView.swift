import CurlewLive
import CurlewScreens
import Foundation

/// The state of a detail page apart from its item.
struct DetailView: TemplateValues {
  let isMissing: Bool
  /// Whether no content provides the page's heading yet.
  let isUntitled: Bool
  /// Whether a placeholder is shown, because the first load takes long.
  let isSkeleton: Bool
  /// Whether missing properties are being loaded.
  let isFilling: Bool
  let activity: ActivityView
  let age: AgeView?

  static let names: TemplateNames<Self> = [
    "isMissing": \.isMissing, "isUntitled": \.isUntitled, "isSkeleton": \.isSkeleton,
    "isFilling": \.isFilling, "activity": \.activity, "age": \.age,
  ]

  /// - Parameters:
  ///   - isKnown: Whether some properties are known.
  ///   - retry: The address for a retry.
  init<ID, Known, Content>(
    _ detail: Detail<ID, Known, Content>.State, _ activity: ScreenActivity, isKnown: Bool,
    retry: String, now: Date
  ) {
    isMissing = detail.content == .empty
    isUntitled = !isKnown && !isMissing
    isSkeleton = !activity.loading.isEmpty && detail.content.isLoading && !isKnown
    isFilling = detail.content.isLoading
    self.activity = ActivityView(
      activity, failure: detail.content.failure, isEmpty: !isKnown, retry: retry)
    age =
      isKnown
      ? AgeView(asOf: detail.content.asOf, isOffline: activity.isOffline, now: now) : nil
  }
}
