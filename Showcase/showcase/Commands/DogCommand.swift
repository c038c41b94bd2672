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

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func validate() throws {
    guard !id.isEmpty else { throw ValidationError("The id of a breed is missing.") }
  }

  var name: String { "dog \(id)" }

  func find(on backend: Backend) async throws -> Dog? { try await backend.sources.dogs.dog(id) }

  func facts(of dog: Dog) -> [Fact] { dog.facts }
}
