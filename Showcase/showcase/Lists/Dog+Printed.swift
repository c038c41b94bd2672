import Domain
import Foundation

extension Dog: Printed {
  static let noun = (one: "dog", many: "dogs")

  static func table(of list: Loaded<Dog>, isColoured: Bool, now: Date) -> Table {
    Table(columns: [Table.Column("NAME", minimum: 8)], rows: list.items.map { [Cell($0.name)] })
  }

  static func documents(of list: Loaded<Dog>) -> [DogDocument] {
    list.items.map { DogDocument(name: $0.name) }
  }
}

/// A dog as scripts get it.
struct DogDocument: Encodable {
  let name: String
}
