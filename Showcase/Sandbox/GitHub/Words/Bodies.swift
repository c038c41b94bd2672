/// Writes the bodies: none, empty, a line, a report, or several kilobytes of Markdown.
enum Bodies {
  static func body(
    _ index: Int, of title: Titles.Title, in theme: Theme, _ dice: inout SplitMix
  ) -> String? {
    // The first few cover every length, so that small repositories have them too.
    switch index < 8 ? index : dice.below(16) {
    case 1: return nil
    case 2: return ""
    case 3, 8: return dice.pick(Prose.oneLiners)
    case 4: return long(title, theme, &dice)
    case 5: return checklist(title, theme, &dice)
    case 7: return Prose.hostile
    default: return report(title, theme, &dice)
    }
  }

  private static func report(
    _ title: Titles.Title, _ theme: Theme, _ dice: inout SplitMix
  ) -> String {
    let opening = dice.pick(Prose.openings).replacing("PART", with: "`\(title.part)`")
    var text = "\(opening) It happens **\(title.condition)**"
    text += " \(dice.pick(Prose.frequencies)).\n\n"
    text += "### Steps\n\n"
    for (number, step) in dice.pick(3 + dice.below(3), of: Prose.steps).enumerated() {
      text += "\(number + 1). \(step)\n"
    }
    text += "\n### Expected\n\n\(dice.pick(Prose.expectations))\n\n"
    if !dice.once(in: 3) { text += "\(code(theme, &dice))\n\n" }
    text += environment(&dice)
    if dice.once(in: 2) { text += "\n\(dice.pick(Prose.closings))\n" }
    return text
  }

  private static func checklist(
    _ title: Titles.Title, _ theme: Theme, _ dice: inout SplitMix
  ) -> String {
    var text = "\(dice.pick(Prose.plans)) the \(title.part):\n\n"
    for wish in theme.wishes {
      text += "- [\(dice.once(in: 3) ? "x" : " ")] \(wish)\n"
    }
    return text + "\n> \(dice.pick(Prose.oneLiners))\n\n\(dice.pick(Prose.closings))\n"
  }

  /// A report with a log of some hundred lines: 5 to 8 KB.
  private static func long(
    _ title: Titles.Title, _ theme: Theme, _ dice: inout SplitMix
  ) -> String {
    var text = report(title, theme, &dice)
    text += "\n<details><summary>The whole log</summary>\n\n```text\n"
    var milliseconds = 0
    for line in 1...(90 + dice.below(60)) {
      milliseconds += dice.below(240)
      let time = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
      text += "\(time)s [\(line)] \(dice.pick(theme.parts)): \(dice.pick(Prose.logLines))\n"
    }
    return text + "```\n\n</details>\n\n\(code(theme, &dice))\n\n\(dice.pick(Prose.closings))\n"
  }

  private static func code(_ theme: Theme, _ dice: inout SplitMix) -> String {
    let first = dice.below(max(1, theme.code.count - 2))
    return "```\(theme.language)\n\(theme.code[first...].joined(separator: "\n"))\n```"
  }

  private static func environment(_ dice: inout SplitMix) -> String {
    """
    | what | version |
    | --- | --- |
    | system | \(dice.pick(Prose.systems)) |
    | this project | \(1 + dice.below(6)).\(dice.below(20)).\(dice.below(5)) |

    """
  }
}
