/// A dog breed, with the features for drawing its picture.
struct Breed: Decodable, Sendable {
  let name, origin, group: String
  /// The minimum and the maximum, in kilograms and in years.
  let weight, years: [Int]
  let coats, temperament: [String]
  /// The features that a picture shows: ears, fur, pattern and muzzle.
  let look: String
  /// The colours of the coat, the pattern and the ears.
  let colors: [String]

  static let all = decodeResource(PackageResources.dogs_json, as: [Breed].self)
  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  var id: String { name.slug }

  /// Returns the JSON representation in lists.
  func summary(home: String) -> JSON {
    [
      "id": .string(id), "name": .string(name), "origin": .string(origin),
      "group": .string(group), "weight": Self.bounds(weight), "lifespan": Self.bounds(years),
      "picture": .string("\(home)/dogs/pictures/\(id).svg"),
    ]
  }

  /// Returns the JSON representation with all details.
  func detail(home: String) -> JSON {
    summary(home: home).changed(
      by: Change(set: [
        "coats": .array(coats.map { .string($0) }),
        "temperament": .array(temperament.map { .string($0) }),
      ]))
  }

  private static func bounds(_ numbers: [Int]) -> JSON {
    ["min": .int(numbers[0]), "max": .int(numbers[1])]
  }
}
