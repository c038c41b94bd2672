import ArgumentParser
import Foundation

/// A command that prints the details of an item.
protocol DetailCommand: AsyncParsableCommand {
  /// The type of the item.
  associatedtype Item: Printed

  /// The options for the data source.
  var options: SourceOptions { get }
  /// Whether the item is printed as JSON.
  var json: Bool { get }
  /// The item's name for the message that it doesn't exist, such as `movie 7`.
  var name: String { get throws }

  /// Returns the item; `nil` if it doesn't exist.
  func find(on backend: Backend) async throws -> Item?
  /// Returns a line for each known value.
  func card(of item: Item, on terminal: Terminal, isFictitious: Bool) -> String
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
      if json { try StandardStream.output.write("null\n") }
      throw Failure("Nothing found: there is no \(try name).", status: .nothingFound)
    }
    guard !json else { return try StandardStream.output.write(Item.json(found).json) }
    let terminal = Terminal(of: .output)
    try StandardStream.output.write(card(of: found, on: terminal, isFictitious: isFictitious))
    if let age = AgeView(asOf: found.asOf, isOffline: false, now: Date()), !age.isNew {
      try StandardStream.error.write(age.text + ".\n")
    }
  }
}
