import Application
import ArgumentParser
import Domain
import Foundation

/// `showcase dog ID`: the details of a breed.
struct DogCommand: DetailCommand {
  static let configuration = CommandConfiguration(
    commandName: "dog",
    abstract: "Print the facts about a dog breed.",
    discussion: Failure.legend)

  @Argument(
    help: ArgumentHelp("The breed's id, as printed by 'showcase dogs --json'.", valueName: "id"))
  var id: String

  @Flag(help: "Print a JSON object with every field, for scripts.")
  var json = false

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var name: String { "dog \(id)" }

  func find(on backend: Backend) async throws -> Dog? { try await backend.sources.dogs.dog(id) }

  func card(of dog: Dog, on terminal: Terminal, isFictitious: Bool) -> String {
    dog.facts.card(in: terminal.colors)
  }
}

extension Dog {
  /// The facts with their names; unknown values are empty.
  var facts: [(name: String, value: String)] {
    let facts = DogFacts(self)
    return [
      ("Breed", name), ("Origin", origin ?? ""), ("Group", group ?? ""),
      ("Weight", facts.weight ?? ""), ("Life span", facts.lifespan ?? ""),
      ("Coats", coats.joined(separator: ", ")),
      ("Temperament", temperament.joined(separator: ", ")),
    ]
  }
}
