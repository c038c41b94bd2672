import CurlewScreens
import CurlewTesting
import Foundation

/// A list's item: identified by its number, with a text that may change.
struct Entry: Identifiable, Equatable, Sendable, ExpressibleByIntegerLiteral {
  let id: Int
  var text = ""

  init(_ id: Int, _ text: String = "") {
    (self.id, self.text) = (id, text)
  }

  init(integerLiteral id: Int) { self.init(id) }
}

extension Page where Item == Entry {
  init(
    _ ids: some Sequence<Int>, next: PageKey? = nil, total: Int? = nil, isPartial: Bool = false,
    skippedEntries: [String] = []
  ) {
    self.init(
      ids.map { Entry($0) }, next: next, total: total, isPartial: isPartial,
      skippedEntries: skippedEntries)
  }
}

struct Broken: LocalizedError {
  var words = "It broke."
  var errorDescription: String? { words }
}

extension LoadFailure {
  static let broken = LoadFailure(Broken()).textOnly
}

extension Feed.State {
  mutating func commit(_ write: WorkID) { settle(write, Result<Void, any Error>.success(())) }
}
