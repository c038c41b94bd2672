import Foundation

/// Generates the issues of a repository, always the same ones.
struct IssueGenerator {
  private struct Title {
    let text, kind, part, condition: String
  }

  private static let users = Words.shared.users.enumerated().map { index, login in
    Account(login: login, id: 900_500_000 + index * 37, type: .user)
  }
  private static let bot = Account(login: "tidy-otter[bot]", id: 900_700_001, type: .bot)
  private static let titles = Words.shared.titles.flatMap {
    Array(repeating: $0, count: $0.weight)
  }

  private let repository: Repository
  private let subject: Words.Subject
  private let words = Words.shared
  private let firstForeign: Int
  private var foreign = 0
  private var used: Set<String> = []
  private var random: SeededGenerator

  private init(_ repository: Repository) {
    self.repository = repository
    let subject = words.subjects.first { $0.name == repository.subject }
    self.subject = subject ?? words.subjects[0]
    let seed = stableHash(repository.fullName.utf8)
    random = SeededGenerator(seed: seed)
    firstForeign = Int(seed % 1_000)
  }

  /// Generates all issues, the newest a few minutes and the oldest some nine years old.
  static func issues(of repository: Repository, before now: Date) -> [Issue] {
    var generator = IssueGenerator(repository)
    let total = repository.open + repository.closed
    let (youngest, oldest) = (180.0, 9 * 365.25 * 86_400)
    var number = total * 3 + 1
    return (0..<total).map { index in
      number -= 1 + generator.random.below(3)
      let position = (Double(index) + generator.random.unit() * 0.8) / Double(total)
      // The cube puts minutes, hours and days on the first page, and years on the last.
      let age = (youngest + oldest * position * position * position).rounded()
      let isClosed =
        (index + 1) * repository.closed / total > index * repository.closed / total
      return generator.issue(index, number: number, age: age, isClosed: isClosed, now: now)
    }
  }

  private mutating func issue(
    _ index: Int, number: Int, age: TimeInterval, isClosed: Bool, now: Date
  ) -> Issue {
    let change = repository.issueChanges.map { $0[index] }
    let title = title(isForeign: index % 7 == 2 && !isClosed)
    let comments =
      random.chance(oneIn: 3) ? 0 : random.below(1 + random.below(1 + random.below(90)))
    // A third of them was not touched since it was opened.
    let touched = random.chance(oneIn: 3) ? age : (age * random.unit()).rounded()
    let author = random.chance(oneIn: 23) ? Self.bot : random.pick(Self.users)
    return Issue(
      id: repository.id * 4 + number, number: number, title: title.text, author: author,
      labels: labels(for: title.kind),
      assignees: random.chance(oneIn: 5) ? random.pick(1 + random.below(2), of: Self.users) : [],
      association: author.login == repository.owner.login
        ? "OWNER" : random.pick(["NONE", "NONE", "CONTRIBUTOR", "CONTRIBUTOR", "MEMBER"]),
      comments: comments, created: now.addingTimeInterval(-age),
      updated: now.addingTimeInterval(-touched),
      closed: isClosed ? now.addingTimeInterval(-touched) : nil, body: body(index, of: title),
      isPull: index % 12 == 5 && change == nil, isLocked: random.chance(oneIn: 40),
      change: change)
  }

  /// Generates a title that this repository does not have yet; a foreign one while there are any.
  private mutating func title(isForeign: Bool) -> Title {
    let (part, condition) = (random.pick(subject.parts), pick("condition"))
    if isForeign, foreign < words.foreignTitles.count {
      let text = words.foreignTitles[(firstForeign + foreign) % words.foreignTitles.count]
      foreign += 1
      return Title(text: text, kind: "foreign", part: part, condition: condition)
    }
    // There are thousands of titles, so that a second try nearly always is a new one.
    for _ in 0..<20 {
      let (part, condition) = (random.pick(subject.parts), pick("condition"))
      let pattern = random.pick(Self.titles)
      let text = pattern.text.filled { name in
        switch name {
        case "part": part
        case "condition": condition
        case "wish": random.pick(subject.wishes)
        default: pick(name)
        }
      }
      if used.insert(text).inserted {
        return Title(
          text: text.prefix(1).uppercased() + text.dropFirst(), kind: pattern.kind, part: part,
          condition: condition)
      }
    }
    return Title(
      text: "Tidy up the \(part)", kind: "enhancement", part: part, condition: condition)
  }

  /// Picks none to four labels for a kind of issue.
  private mutating func labels(for kind: String) -> [Label] {
    guard !random.chance(oneIn: 5) else { return [] }
    var labels = (kind == "crash" ? ["bug", kind] : [kind]).compactMap { words.labels[$0] }
    if random.chance(oneIn: 2) { labels.append(random.pick(subject.labels)) }
    if random.chance(oneIn: 4) { labels.append(random.pick(words.otherLabels)) }
    return labels
  }

  private mutating func pick(_ list: String) -> String { random.pick(words.lists[list] ?? [""]) }
}

extension IssueGenerator {
  /// Generates a body: none, empty, a line, a report, or several kilobytes of Markdown.
  private mutating func body(_ index: Int, of title: Title) -> String? {
    // The first few have every length, so that small repositories have them too.
    switch index < 8 ? index : random.below(16) {
    case 1: nil
    case 2: ""
    case 3, 8: pick("oneLiner")
    case 4: longReport(title)
    case 5: checklist(title)
    case 7: words.markup
    default: report(title)
    }
  }

  private mutating func report(_ title: Title) -> String {
    let opening = pick("opening").filled { $0 == "part" ? title.part : nil }
    var text = "\(opening) It happens **\(title.condition)** \(pick("frequency")).\n\n### Steps\n\n"
    let steps = random.pick(3 + random.below(3), of: words.lists["step"] ?? [])
    for (index, step) in steps.enumerated() { text += "\(index + 1). \(step)\n" }
    text += "\n### Expected\n\n\(pick("expectation"))\n\n"
    if !random.chance(oneIn: 3) { text += "\(code())\n\n" }
    text += """
      | what | version |
      | --- | --- |
      | system | \(pick("system")) |
      | this project | \(1 + random.below(6)).\(random.below(20)).\(random.below(5)) |

      """
    if random.chance(oneIn: 2) { text += "\n\(pick("closing"))\n" }
    return text
  }

  private mutating func checklist(_ title: Title) -> String {
    var text = "\(pick("plan")) the \(title.part):\n\n"
    for wish in subject.wishes {
      text += "- [\(random.chance(oneIn: 3) ? "x" : " ")] \(wish)\n"
    }
    return text + "\n> \(pick("oneLiner"))\n\n\(pick("closing"))\n"
  }

  /// Generates a report with a log of some hundred lines: 5 to 8 KB.
  private mutating func longReport(_ title: Title) -> String {
    var text = report(title) + "\n<details><summary>The whole log</summary>\n\n```text\n"
    var milliseconds = 0
    for line in 1...(90 + random.below(60)) {
      milliseconds += random.below(240)
      let time = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
      text += "\(time)s [\(line)] \(random.pick(subject.parts)): \(pick("logLine"))\n"
    }
    return text + "```\n\n</details>\n\n\(code())\n\n\(pick("closing"))\n"
  }

  private mutating func code() -> String {
    let first = random.below(max(1, subject.code.count - 2))
    return "```\(subject.language)\n\(subject.code[first...].joined(separator: "\n"))\n```"
  }
}
