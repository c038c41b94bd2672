import Domain
import Foundation

extension Dog: Printed {
  static let noun = (one: "dog", many: "dogs")

  static func columns(now: Date) -> [Column<Dog>] {
    [.text("NAME", least: 8) { $0.name }]
  }

  static func json(_ dog: Dog) -> JSONObject { ["name": dog.name] }
}
