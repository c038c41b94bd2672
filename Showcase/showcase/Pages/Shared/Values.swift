import Mustache

/// The texts and switches of a template by their names in it; `nil` for what is not there.
struct Values: MustacheParent, ExpressibleByDictionaryLiteral {
  private var members: [String: Any] = [:]

  init(dictionaryLiteral members: (String, Any?)...) {
    for (name, value) in members { self.members[name] = value }
  }

  func child(named name: String) -> Any? { members[name] }

  /// The values with others, which replace those of their names.
  func merging(_ others: Values) -> Values {
    var values = self
    values.members.merge(others.members) { $1 }
    return values
  }

  /// A `<select>` with a name, and its options.
  static func choices(
    _ name: String, label: String, _ options: [(code: String, name: String)], chosen: String
  ) -> Values {
    let choices: [Values] = options.map {
      ["value": $0.code, "name": $0.name, "isChosen": $0.code == chosen]
    }
    return ["name": name, "label": label, "choices": choices]
  }
}
