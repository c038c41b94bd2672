/// Something to choose, as an option of a `<select>`.
struct Choice {
  let value: String
  let name: String
  let isChosen: Bool
}

/// A `<select>` with a name.
struct Choices {
  let name: String
  let label: String
  let choices: [Choice]
}
