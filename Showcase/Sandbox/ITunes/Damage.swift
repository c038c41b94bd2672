/// Entries that are not as they should be, as feeds put together by machines have them.
enum Damage {
  typealias Members = [(String, JSON)]

  /// Damages so many of the entries, spread over the list; the first only when all are damaged.
  static func damaged(_ entries: [Members], count: Int) -> [JSON] {
    let rest = entries.count - 1
    var places = Set(entries.indices)
    if count < entries.count {
      places = Set((0..<count).map { 1 + (2 * $0 + 1) * rest / (2 * count) })
    }
    var way = 0
    return entries.enumerated().map { index, members in
      guard places.contains(index) else { return .object(members) }
      way += 1
      return damaged(members, way: way - 1)
    }
  }

  private static func damaged(_ members: Members, way: Int) -> JSON {
    func replacing(_ name: String, with value: JSON) -> JSON {
      .object(members.map { $0.0 == name ? (name, value) : $0 })
    }
    switch way % 6 {
    case 0: return .object(members.filter { $0.0 != "im:name" })
    case 1: return replacing("im:price", with: .string("$14.99"))
    case 2: return .null
    case 3: return replacing("im:name", with: .object([("label", .int(7))]))
    case 4: return replacing("id", with: .array([]))
    default: return .string("an entry was here")
    }
  }
}
