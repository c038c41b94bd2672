import ArgumentParser
import Domain
import Foundation

/// A command that prints a list.
protocol ListCommand: AsyncParsableCommand {
  /// What is listed.
  associatedtype Item: Printed

  /// Where the data comes from.
  var options: SourceOptions { get }
  /// How the list is printed.
  var output: OutputOptions { get }
  /// Which pages are printed.
  var choice: PageChoice { get }

  /// Says what to ask a backend for.
  func query(on backend: Backend) async throws -> Query<Item>
}

extension ListCommand {
  /// The one page that lists without pages have.
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
        isMadeUp: backend.isMadeUp)
    }
    try report.print(asJSON: output.json)
  }
}

/// What a command asks for, and how it talks about it.
struct Query<Item: Printed>: Sendable {
  /// What the list is of, as its heading says it.
  let title: @Sendable ([Item]) -> String
  /// What it means when the list is empty.
  let nothing: @Sendable (Loaded<Item>) -> String
  /// The number of pages, where the list itself doesn't tell.
  var pages: Int?
  /// Loads a page.
  let load: @Sendable (Int) async throws -> Listing<Item>
}
