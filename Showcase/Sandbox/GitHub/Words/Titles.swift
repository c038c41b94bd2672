/// Writes the titles of one repository, each of them once.
struct Titles {
  enum Kind: Sendable { case problem, crash, wish, documentation, question, foreign }

  struct Title: Sendable {
    let text: String
    let kind: Kind
    /// What it is about, for the body.
    let part: String
    let condition: String
  }

  private let theme: Theme
  private let start: Int
  private var foreign = 0
  private var used: Set<String> = []

  /// Creates a writer; the start says with which foreign title it begins.
  init(_ theme: Theme, start: Int) {
    self.theme = theme
    self.start = start
  }

  /// Writes the next title; a foreign one while there are any left.
  mutating func next(isForeign: Bool, _ dice: inout SplitMix) -> Title {
    let part = dice.pick(theme.parts)
    let condition = dice.pick(Phrases.conditions)
    if isForeign, foreign < Phrases.foreign.count {
      let text = Phrases.foreign[(start + foreign) % Phrases.foreign.count]
      foreign += 1
      return Title(text: text, kind: .foreign, part: part, condition: condition)
    }
    // The words allow thousands of titles, so that a second try nearly always is a new one.
    for _ in 0..<20 {
      let title = compose(dice.pick(theme.parts), dice.pick(Phrases.conditions), &dice)
      if used.insert(title.text).inserted { return title }
    }
    return Title(text: "Tidy up the \(part)", kind: .wish, part: part, condition: condition)
  }

  private func compose(
    _ part: String, _ condition: String, _ dice: inout SplitMix
  ) -> Title {
    let (text, kind): (String, Kind)
    switch dice.below(20) {
    case 0..<9:
      (text, kind) = ("\(part) \(dice.pick(Phrases.problems)) \(condition)", .problem)
    case 9: (text, kind) = ("Crash in the \(part) \(condition)", .crash)
    case 10: (text, kind) = ("\(part): \(dice.pick(Phrases.shortProblems))", .problem)
    case 11..<15: (text, kind) = ("\(dice.pick(theme.wishes)) in the \(part)", .wish)
    case 15: (text, kind) = ("Make the \(part) \(dice.pick(Phrases.qualities))", .wish)
    case 16: (text, kind) = ("Document what the \(part) does \(condition)", .documentation)
    case 17: (text, kind) = ("Example for the \(part) is out of date", .documentation)
    case 18: (text, kind) = ("What should the \(part) do \(condition)?", .question)
    default:
      (text, kind) = ("Is the \(part) meant to be used \(dice.pick(Phrases.uses))?", .question)
    }
    return Title(
      text: text.prefix(1).uppercased() + text.dropFirst(), kind: kind, part: part,
      condition: condition)
  }
}
