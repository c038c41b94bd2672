import ArgumentParser
import Domain
import Foundation

/// `showcase dogs TEXT`: dog breeds by the beginning of their names.
struct DogsCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "dogs",
    abstract: "Print the dog breeds whose names begin with a text.",
    discussion: """
      The breeds come from the sandbox. Other data sources use a few built-in breeds, and a search \
      takes a second.

      \(Failure.legend)
      """)

  @Argument(help: "The beginning of the name; case and accents are ignored.")
  var text: String

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func validate() throws {
    guard !name.isEmpty else {
      throw ValidationError("Type the beginning of a dog's name, for example gre.")
    }
  }

  func query(on backend: Backend) async throws -> Query<Dog> {
    let (name, dogs) = (name, backend.sources.dogs)
    return Query(
      title: { _ in "'\(name)'" }, nothing: { _ in "no dog's name begins with '\(name)'" }
    ) { _ in
      Listing(try await dogs.dogs(named: name))
    }
  }

  private var name: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
