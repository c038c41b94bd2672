import Foundation

/// All issues of one repository, newest first, each encoded once.
struct Shelf: Sendable {
  struct Entry: Sendable {
    let issue: Issue
    let bytes: [UInt8]
    let fingerprint: Fingerprint
  }

  let entries: [Entry]

  init(of repository: Repository, anchor: Date, home: String) {
    var author = Author(repository)
    entries = author.issues(before: anchor).enumerated().map { index, issue in
      let members = issue.members(of: repository, home: home)
      let change = RealData.change(of: repository, at: index)
      let bytes = (change?.applied(to: members) ?? .object(members)).bytes
      return Entry(issue: issue, bytes: bytes, fingerprint: Fingerprint(bytes))
    }
  }
}

/// Invents the issues of a repository, always the same ones.
struct Author {
  private let repository: Repository
  private var dice: SplitMix
  private var titles: Titles

  init(_ repository: Repository) {
    self.repository = repository
    let seed = Fingerprint(repository.fullName.utf8).value
    dice = SplitMix(seed: seed)
    titles = Titles(repository.theme, start: Int(seed % 1_000))
  }

  /// Invents all issues, the newest a few minutes and the oldest some nine years old.
  mutating func issues(before anchor: Date) -> [Issue] {
    let total = repository.open + repository.closed
    let (youngest, oldest) = (180.0, 9 * 365.25 * 86_400)
    var number = total * 3 + 1
    return (0..<total).map { index in
      number -= 1 + dice.below(3)
      let place = (Double(index) + dice.unit() * 0.8) / Double(total)
      // The cube puts minutes, hours and days on the first page, and years on the last.
      let age = (youngest + oldest * place * place * place).rounded()
      let isClosed =
        (index + 1) * repository.closed / total > index * repository.closed / total
      return issue(index, number: number, age: age, isClosed: isClosed, anchor: anchor)
    }
  }

  private mutating func issue(
    _ index: Int, number: Int, age: TimeInterval, isClosed: Bool, anchor: Date
  ) -> Issue {
    let isPull = index % 12 == 5 && repository.owner.login != RealData.owner
    let title = titles.next(isForeign: index % 7 == 2 && !isClosed, &dice)
    let comments = dice.once(in: 3) ? 0 : dice.below(1 + dice.below(1 + dice.below(90)))
    // Nobody has touched a third of them since they were written.
    let touched = dice.once(in: 3) ? age : (age * dice.unit()).rounded()
    let author = dice.once(in: 23) ? People.bot : dice.pick(People.all)
    let isOwner = author.login == repository.owner.login
    return Issue(
      id: repository.id * 4 + number, number: number, title: title.text, author: author,
      labels: Label.some(for: title.kind, in: repository.theme, &dice),
      assignees: dice.once(in: 5) ? dice.pick(1 + dice.below(2), of: People.all) : [],
      association: isOwner
        ? "OWNER" : dice.pick(["NONE", "NONE", "CONTRIBUTOR", "CONTRIBUTOR", "MEMBER"]),
      comments: comments, created: anchor.addingTimeInterval(-age),
      updated: anchor.addingTimeInterval(-touched),
      closed: isClosed ? anchor.addingTimeInterval(-touched) : nil,
      body: Bodies.body(index, of: title, in: repository.theme, &dice), isPull: isPull,
      isLocked: dice.once(in: 40))
  }
}
