import CurlewScreens
import Domain

extension Listing {
  /// The page as a feed takes it.
  var page: Page<Item> {
    Page(
      items, next: nextPage.map { .number($0) }, total: total, isPartial: isIncomplete,
      damages: damaged.map { "Entry \($0.index + 1) could not be read: \($0.reason)" })
  }
}
