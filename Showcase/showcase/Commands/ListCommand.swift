import ArgumentParser
import Domain
import Foundation

/// A command that prints a list.
protocol ListCommand: AsyncParsableCommand {
  /// The type of the items.
  associatedtype Item: Printed

  /// The options for the data source.
  var options: SourceOptions { get }
  /// The options for the output format.
  var output: OutputOptions { get }
  /// The selected pages.
  var choice: PageChoice { get }

  /// Returns the query for a backend.
  func query(on backend: Backend) async throws -> Query<Item>
}

extension ListCommand {
  /// The first page, for lists without pages.
  var choice: PageChoice { .one(1) }

  /// Loads the list and prints it.
  func run() async throws {
    let report = try await Backend.run(options) { backend in
      let progress = options.progress(of: Item.noun.many)
      defer { progress?.end() }
      let query = try await query(on: backend)
      let loaded = try await Loaded(
        choice, of: { try await query.load($0) },
        onPage: { loaded in
          progress?.show(
            pages: loaded.pages, of: query.pages ?? loaded.expectedPages(atMost: Item.most),
            items: loaded.items.count)
        })
      return Report(
        list: loaded, title: query.title(loaded.items), nothing: query.nothing(loaded),
        isFictitious: backend.isFictitious)
    }
    try report.print(to: output)
  }
}

/// The query of a command, and its texts.
struct Query<Item: Printed>: Sendable {
  /// The title of the list, from its items.
  let title: @Sendable ([Item]) -> String
  /// The reason for an empty list.
  let nothing: @Sendable (Loaded<Item>) -> String
  /// The number of pages, if the list's responses don't contain it.
  var pages: Int?
  /// Loads a page.
  let load: @Sendable (Int) async throws -> Listing<Item>
}
