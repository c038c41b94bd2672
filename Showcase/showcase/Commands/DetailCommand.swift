import ArgumentParser
import CurlewTerminal
import Foundation

/// A command that prints the details of an item.
protocol DetailCommand: AsyncParsableCommand {
  /// The type of the item.
  associatedtype Item: Printed

  /// The options for the data source.
  var options: SourceOptions { get }
  /// The options for the output format.
  var output: OutputOptions { get }
  /// The item's name for the message that it doesn't exist, such as `movie 7`.
  var name: String { get throws }

  /// Returns the item; `nil` if it doesn't exist.
  func find(on backend: Backend) async throws -> Item?
  /// Returns the item's values with their names; unknown values are empty.
  func facts(of item: Item) -> [Fact]
}

extension DetailCommand {
  /// Loads the item and prints it.
  func run() async throws {
    let (found, isFictitious) = try await Backend.run(options) { backend in
      let progress = options.progress(of: "the \(Item.noun.one)")
      defer { progress?.end() }
      return (try await find(on: backend), backend.isFictitious)
    }
    guard let found else {
      if output.json { try StandardStream.output.write("null\n") }
      throw Failure("Nothing found: there is no \(try name).", status: .nothingFound)
    }
    guard !output.json else { return try StandardStream.output.write(Item.json(found).json) }
    let card = facts(of: found).card(on: output.terminal, isFictitious: isFictitious)
    try StandardStream.output.write(card)
    if let age = AgeView(asOf: found.asOf, isOffline: false, now: Date()), !age.isNew {
      try StandardStream.error.write(age.text + ".\n")
    }
  }
}
