import CurlewScreens
import Foundation

extension ShowcasePage {
  /// Describes a page of one thing.
  ///
  /// - Parameters:
  ///   - tracked: The state of the page.
  ///   - template: The template.
  ///   - detail: The thing.
  ///   - isKnown: Whether a part of it is known.
  ///   - retry: The address that asks again.
  ///   - values: What else the template shows.
  func view<ID, Known, Content>(
    of tracked: Tracked<Inner>.State, _ template: Template, status: String,
    detail: Detail<ID, Known, Content>.State, isKnown: Bool, retry: String, now: Date,
    _ values: Values
  ) -> PageView {
    let isMissing = detail.content == .empty
    let age =
      isKnown
      ? AgeView(asOf: detail.content.asOf, isOffline: tracked.content.isOffline, now: now) : nil
    let around: Values = [
      "isMissing": isMissing,
      // Whether nothing on the page is its heading yet.
      "isUntitled": !isKnown && !isMissing,
      // Nothing is there yet, and that takes its time.
      "isSkeleton": tracked.activity.isVisible && detail.content.isLoading && !isKnown,
      // Whether what is not known yet is on its way.
      "isFilling": detail.content.isLoading,
      "activity": Values.activity(
        tracked.activity, failure: detail.content.failure, isEmpty: !isKnown, retry: retry),
      "age": age,
    ]
    return PageView(
      template, status: status, age: age, values.merging(["detail": around]))
  }
}
