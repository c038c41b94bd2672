import CurlewScreens
import Domain

extension Listing {
  /// The page in the form that a feed expects.
  var page: Page<Item> {
    Page(
      items, next: nextPage.map { .number($0) }, total: total, isPartial: isIncomplete,
      skippedEntries: skippedEntries, asOf: asOf)
  }

  /// Messages for users that name the skipped entries; the reasons are only logged.
  var skippedEntries: [String] {
    damaged.map { "Number \($0.index + 1) of the list can’t be shown." }
  }
}
