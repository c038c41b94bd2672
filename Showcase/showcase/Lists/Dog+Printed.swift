import Application
import CurlewTerminal
import Domain
import Foundation

extension Dog: Printed {
  static let noun = (one: "dog", many: "dogs")

  static func columns(now: Date) -> [Column<Dog>] {
    [.text("NAME", least: 8) { $0.name }, .text("FACTS", least: 20) { DogFacts($0).line }.faint]
  }

  static func json(_ dog: Dog) -> JSONObject {
    [
      "coats": dog.coats, "group": dog.group, "id": dog.id,
      "lifespan": dog.lifespan.map { [$0.lowerBound, $0.upperBound] }, "name": dog.name,
      "origin": dog.origin, "picture": dog.picture?.absoluteString,
      "temperament": dog.temperament,
      "weight": dog.weight.map { [$0.lowerBound, $0.upperBound] },
    ]
  }

  /// The values with their names; unknown values are empty.
  var facts: [Fact] {
    let facts = DogFacts(self)
    return [
      ("Breed", name), ("Origin", origin ?? ""), ("Group", group ?? ""),
      ("Weight", facts.weight ?? ""), ("Life span", facts.lifespan ?? ""),
      ("Coats", coats.joined(separator: ", ")),
      ("Temperament", temperament.joined(separator: ", ")),
    ]
  }
}
