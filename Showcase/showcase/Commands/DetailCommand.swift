import ArgumentParser
import Foundation

/// A command that prints one thing at length.
protocol DetailCommand: AsyncParsableCommand {
  /// What is printed.
  associatedtype Item: Printed

  /// Where the data comes from.
  var options: SourceOptions { get }
  /// Whether it is printed as JSON.
  var json: Bool { get }
  /// What it is called when there is none, such as `movie 7`.
  var name: String { get throws }

  /// Finds it; `nil` when there is none.
  func find(on backend: Backend) async throws -> Item?
  /// Returns a line for each value that is known.
  func card(of item: Item, on terminal: Terminal, isMadeUp: Bool) -> String
}

extension DetailCommand {
  /// Finds the thing and prints it.
  func run() async throws {
    let (found, isMadeUp) = try await Backend.run(options) { backend in
      let progress = options.progress(of: "the \(Item.noun.one)")
      defer { progress?.end() }
      return (try await find(on: backend), backend.isMadeUp)
    }
    guard let found else {
      if json { try StandardStream.output.write("null\n") }
      throw Failure("Nothing found: there is no \(try name).", status: .nothingFound)
    }
    guard !json else { return try StandardStream.output.write(Item.json(found).json) }
    let terminal = Terminal(of: .output)
    try StandardStream.output.write(card(of: found, on: terminal, isMadeUp: isMadeUp))
    if let age = AgeView(asOf: found.asOf, isOffline: false, now: Date()), !age.isNew {
      try StandardStream.error.write(age.text + ".\n")
    }
  }
}
