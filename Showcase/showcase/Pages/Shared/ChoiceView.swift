import CurlewLive

/// A `<select>` element with its options.
struct ChoiceView: TemplateValues {
  let name: String
  let label: String
  let choices: [Option]

  static let names: TemplateNames<Self> = [
    "name": \.name, "label": \.label, "choices": \.choices,
  ]

  init(
    _ name: String, label: String, _ options: [(code: String, name: String)], chosen: String
  ) {
    (self.name, self.label) = (name, label)
    choices = options.map { Option(value: $0.code, name: $0.name, isChosen: $0.code == chosen) }
  }

  struct Option: TemplateValues {
    let value: String
    let name: String
    let isChosen: Bool

    static let names: TemplateNames<Self> = [
      "value": \.value, "name": \.name, "isChosen": \.isChosen,
    ]
  }
}

/// An example: a text, and the query of the address that opens it.
struct ExampleView: TemplateValues {
  let text: String
  let query: String
  var color: String?

  static let names: TemplateNames<Self> = ["text": \.text, "query": \.query, "color": \.color]

  init(_ text: String, _ query: LiveQuery, color: String? = nil) {
    (self.text, self.query, self.color) = (text, query.text, color)
  }
}

/// A name with an optional value.
struct FactView: TemplateValues {
  let name: String
  let value: String?

  static let names: TemplateNames<Self> = ["name": \.name, "value": \.value]

  init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }
}
