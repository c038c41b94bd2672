import CurlewLive

/// A `<select>` element with its options.
struct ChoiceView: TemplateValues {
  let name: String
  let label: String
  let choices: [OptionView]

  static let names: TemplateNames<Self> = [
    "name": \.name, "label": \.label, "choices": \.choices,
  ]

  init(
    _ name: String, label: String, _ options: [(code: String, name: String)], chosen: String
  ) {
    (self.name, self.label) = (name, label)
    choices = options.map {
      OptionView(value: $0.code, title: $0.name, isChosen: $0.code == chosen)
    }
  }
}

/// One of several values: an `<option>`, or a link to its address.
struct OptionView: TemplateValues {
  let value, title: String
  let isChosen: Bool
  var href = ""

  static let names: TemplateNames<Self> = [
    "value": \.value, "title": \.title, "isChosen": \.isChosen, "href": \.href,
  ]
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
