extension Label {
  /// The labels of an issue of this kind: none to four of them.
  static func some(for kind: Titles.Kind, in theme: Theme, _ dice: inout SplitMix) -> [Label] {
    guard !dice.once(in: 5) else { return [] }
    var labels: [Label] = []
    switch kind {
    case .problem: labels.append(bug)
    case .crash: labels += [bug, crash]
    case .wish: labels.append(enhancement)
    case .documentation: labels.append(documentation)
    case .question: labels.append(question)
    case .foreign: labels.append(languages)
    }
    if dice.once(in: 2) { labels.append(dice.pick(theme.labels)) }
    if dice.once(in: 4) { labels.append(dice.pick(others)) }
    return labels
  }

  private static let bug = Label(
    name: "bug", color: "d73a4a", description: "Something isn't working", isDefault: true)
  private static let crash = Label(
    name: "crash 💥", color: "b60205", description: "It ends without being asked to")
  private static let enhancement = Label(
    name: "enhancement", color: "a2eeef", description: "New feature or request", isDefault: true)
  private static let documentation = Label(
    name: "documentation", color: "0075ca", description: "Words, not code", isDefault: true)
  private static let question = Label(
    name: "question", color: "d876e3", description: "Further information is requested",
    isDefault: true)
  private static let languages = Label(
    name: "Sprachen / 言語 / لغات", color: "fbca04", description: "Scripts, sorting, direction")

  private static let others = [
    Label(
      name: "good first issue", color: "7057ff", description: "Good for newcomers", isDefault: true),
    Label(
      name: "help wanted", color: "008672", description: "Extra attention is needed",
      isDefault: true),
    Label(name: "needs: example", color: "fef2c0", description: "We can't repeat it yet"),
    Label(name: "priority: high", color: "ff6b35", description: nil),
    Label(name: "regression", color: "5319e7", description: "It used to work"),
    Label(name: "wontfix", color: "ffffff", description: "Not now", isDefault: true),
    Label(name: "<b>not bold</b>", color: "000000", description: "Tests \"escaping\" & such"),
  ]
}
