import CurlewScreens
import Domain

extension Listing {
  /// The page as a feed takes it.
  var page: Page<Item> {
    Page(
      items, next: nextPage.map { .number($0) }, total: total, isPartial: isIncomplete,
      skippedEntries: skippedEntries, asOf: asOf)
  }

  /// Which entries were left out, in words for users; the reasons are for logs.
  var skippedEntries: [String] { damaged.map { "Entry \($0.index + 1) could not be read." } }
}
