import Foundation

/// A deterministic generator of a repository's issues.
struct IssueGenerator {
  private static let words = Words.shared
  private static let users = words.users.enumerated().map { index, login in
    Account(login: login, id: 900_500_000 + index * 37, type: .user)
  }
  private static let bot = Account(login: "tidy-otter[bot]", id: 900_700_001, type: .bot)
  private static let conditions = words.lists["condition", default: []]
  private static let titles = words.titles.flatMap { Array(repeating: $0, count: $0.weight) }

  private let repository: Repository
  private let subject: Words.Subject
  private var random: SeededGenerator
  private let firstForeign: Int
  private var foreign = 0
  private var used: Set<String> = []
  /// The subject of the current issue.
  private var (part, condition) = ("", "")

  /// Generates all issues; the newest are a few minutes old, the oldest about nine years.
  static func issues(of repository: Repository, before now: Date) -> [Issue] {
    var generator = IssueGenerator(repository)
    let total = repository.open + repository.closed
    let (youngest, oldest) = (180.0, 9 * 365.25 * 86_400)
    var number = total * 3 + 1
    return (0..<total).map { index in
      number -= 1 + generator.random.below(3)
      let position = (Double(index) + generator.random.unit() * 0.8) / Double(total)
      // The cube yields minutes, hours and days on the first page, and years on the last page.
      let age = (youngest + oldest * position * position * position).rounded()
      let isClosed =
        (index + 1) * repository.closed / total > index * repository.closed / total
      return generator.issue(index, number: number, age: age, isClosed: isClosed, now: now)
    }
  }

  /// Generates a newly opened issue; the result is determined by its index, from 1.
  static func opened(_ index: Int, in repository: Repository, at date: Date) -> Issue {
    var generator = IssueGenerator(repository)
    let seed = stableHash("\(repository.fullName) \(index)".utf8)
    generator.random = SeededGenerator(seed: seed)
    generator.foreign = (repository.open + index) / 7 % words.foreignTitles.count
    let (title, kind) = generator.title(isForeign: index % 7 == 2)
    // The numbers of the other generated issues are below this number.
    let number = (repository.open + repository.closed) * 3 + index
    return Issue(
      number: number, title: title, author: generator.random.pick(users),
      labels: generator.labels(for: kind), created: date, body: generator.body(index + 7))
  }

  private init(_ repository: Repository) {
    self.repository = repository
    subject = Self.words.subjects.first { $0.name == repository.subject } ?? Self.words.subjects[0]
    let seed = stableHash(repository.fullName.utf8)
    random = SeededGenerator(seed: seed)
    firstForeign = Int(seed % 1_000)
  }

  private mutating func issue(
    _ index: Int, number: Int, age: TimeInterval, isClosed: Bool, now: Date
  ) -> Issue {
    let change = repository.issueChanges.map { $0[index] }
    let (title, kind) = title(isForeign: index % 7 == 2 && !isClosed)
    let comments =
      random.chance(oneIn: 3) ? 0 : random.below(1 + random.below(1 + random.below(90)))
    // A third of the issues has not changed since they were opened.
    let touched = random.chance(oneIn: 3) ? age : (age * random.unit()).rounded()
    let author = random.chance(oneIn: 23) ? Self.bot : random.pick(Self.users)
    return Issue(
      number: number, title: title, author: author, labels: labels(for: kind),
      assignees: random.chance(oneIn: 5) ? random.pick(1 + random.below(2), of: Self.users) : [],
      association: author.login == repository.owner.login
        ? "OWNER" : random.pick(["NONE", "NONE", "CONTRIBUTOR", "CONTRIBUTOR", "MEMBER"]),
      comments: comments, created: now.addingTimeInterval(-age),
      updated: now.addingTimeInterval(-touched),
      closed: isClosed ? now.addingTimeInterval(-touched) : nil, body: body(index),
      isPull: index % 12 == 5 && change == nil, isLocked: random.chance(oneIn: 40), change: change)
  }

  /// Generates a title that is new in this repository, or a foreign title that has not been used.
  private mutating func title(isForeign: Bool) -> (text: String, kind: String) {
    let titles = Self.words.foreignTitles
    (part, condition) = (random.pick(subject.parts), random.pick(Self.conditions))
    if isForeign, foreign < titles.count {
      foreign += 1
      return (titles[(firstForeign + foreign - 1) % titles.count], "foreign")
    }
    // There are thousands of titles, so a second attempt almost always yields a new title.
    while true {
      (part, condition) = (random.pick(subject.parts), random.pick(Self.conditions))
      let pattern = random.pick(Self.titles)
      let text = filled(pattern.text)
      guard used.insert(text).inserted else { continue }
      return (text.prefix(1).uppercased() + text.dropFirst(), pattern.kind)
    }
  }

  /// Picks up to four labels for a kind of issue.
  private mutating func labels(for kind: String) -> [Label] {
    guard !random.chance(oneIn: 5) else { return [] }
    var labels = (kind == "crash" ? ["bug", kind] : [kind]).compactMap { Self.words.labels[$0] }
    if random.chance(oneIn: 2) { labels.append(random.pick(subject.labels)) }
    if random.chance(oneIn: 4) { labels.append(random.pick(Self.words.otherLabels)) }
    return labels
  }

  /// Generates a body: nil, empty, a line, a report, or several kilobytes of Markdown.
  private mutating func body(_ index: Int) -> String? {
    // The first issues cover all lengths, so that small repositories have them, too.
    switch index < 8 ? index : random.below(16) {
    case 1: nil
    case 2: ""
    case 3, 8: pick("oneLiner")
    case 4: pick("longReport")
    case 5: pick("checklist")
    case 7: pick("markup")
    default: pick("report")
    }
  }

  private mutating func filled(_ pattern: String) -> String { pattern.filled { value($0) } }

  private mutating func pick(_ name: String) -> String { value(name) ?? "" }

  /// Generates the text for a placeholder in a pattern; nil for an unknown placeholder.
  private mutating func value(_ name: String) -> String? {
    switch name {
    case "part": part
    case "condition": condition
    case "wish": random.pick(subject.wishes)
    case "version": "\(1 + random.below(6)).\(random.below(20)).\(random.below(5))"
    case "someCode": random.chance(oneIn: 3) ? "" : pick("code") + "\n\n"
    case "someClosing": random.chance(oneIn: 2) ? "\n\(pick("closing"))\n" : ""
    case "steps":
      random.pick(3 + random.below(3), of: Self.words.lists["step", default: []]).enumerated()
        .map { "\($0 + 1). \($1)\n" }.joined()
    case "wishes":
      subject.wishes.map { "- [\(random.chance(oneIn: 3) ? "x" : " ")] \($0)\n" }.joined()
    case "code":
      "```\(subject.language)\n"
        + subject.code[random.below(max(1, subject.code.count - 2))...].joined(separator: "\n")
        + "\n```"
    case "log": log()
    default:
      Self.words.lists[name].map { filled($0.count > 1 ? random.pick($0) : $0[0]) }
    }
  }

  /// Generates about a hundred lines of log: 5 to 8 KB.
  private mutating func log() -> String {
    var milliseconds = 0
    return (1...(90 + random.below(60))).map { line in
      milliseconds += random.below(240)
      let time = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
      return "\(time)s [\(line)] \(random.pick(subject.parts)): \(pick("logLine"))\n"
    }.joined()
  }
}
