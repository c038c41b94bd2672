import Foundation

extension Issue {
  private static let words = Words.shared
  static let users = words.lists["user", default: []].enumerated().map { index, login in
    Account(login: login, id: 900_500_000 + index * 37, type: .user)
  }
  private static let bot = Account(login: "tidy-otter[bot]", id: 900_700_001, type: .bot)

  /// Generates all issues of a repository, newest first: from a few minutes to about nine years old.
  static func generated(in repository: Repository, before now: Date) -> [Issue] {
    let total = repository.open + repository.closed
    let (youngest, oldest) = (180.0, 9 * 365.25 * 86_400)
    let firstForeign = Choices(repository.fullName).number("foreign", below: 1_000)
    var (foreign, titles) = (0, Set<String>())
    return (0..<total).map { index in
      let isClosed =
        (index + 1) * repository.closed / total > index * repository.closed / total
      let isForeign =
        index % 7 == 2 && !isClosed && foreign < words.lists["foreign", default: []].count
      if isForeign { foreign += 1 }
      func makeText(_ attempt: Int) -> IssueText {
        let text = IssueText(
          repository, "\(index) \(attempt)", foreign: isForeign ? firstForeign + foreign : nil)
        // There are thousands of titles, so a second attempt almost always yields a new title.
        return titles.insert(text.title).inserted ? text : makeText(attempt + 1)
      }
      let text = makeText(0)
      let choices = text.choices
      // Other entries had the missing numbers.
      let number = total * 3 - 1 - index - index / 4
      let position = (Double(index) + choices.share("age") * 0.8) / Double(total)
      // The cube yields minutes, hours and days on the first page, and years on the last page. They are
      // whole minutes: a list that is loaded again within seconds shows the same ages.
      let age = ((youngest + oldest * position * position * position) / 60).rounded() * 60
      // A third of the issues has not changed since they were opened.
      let isUntouched = choices.number("untouched", below: 3) == 0
      let touched = now.addingTimeInterval(
        -(isUntouched ? age : (age * choices.share("touched")).rounded()))
      let isBots = choices.number("bot", below: 23) == 0
      let author = isBots ? bot : choices.pick("author", of: users)
      let most = 1 + choices.number("most", below: 1 + choices.number("limit", below: 90))
      let change = repository.issueChanges.map { $0[index] }
      return Issue(
        number: number, title: text.title, author: author, labels: text.labels,
        assignees: Array(users.dropFirst(number % 37).prefix(max(0, number % 12 - 9))),
        association: author.login == repository.owner.login
          ? "OWNER" : choices.pick("association", of: words.lists["association", default: []]),
        comments: choices.number("quiet", below: 3) == 0
          ? 0 : choices.number("comments", below: most),
        created: now.addingTimeInterval(-age), updated: touched, closed: isClosed ? touched : nil,
        body: text.body(index), isPull: index % 12 == 5 && change == nil,
        isLocked: choices.number("locked", below: 40) == 0, change: change)
    }
  }

  /// Generates a newly opened issue; the result is determined by its index, from 1.
  static func opened(_ index: Int, in repository: Repository, at date: Date) -> Issue {
    let foreign = index % 7 == 2 ? (repository.open + index) / 7 : nil
    let text = IssueText(repository, "opened \(index)", foreign: foreign)
    return Issue(
      // The numbers of the other generated issues are below this number.
      number: (repository.open + repository.closed) * 3 + index, title: text.title,
      author: text.choices.pick("author", of: users), labels: text.labels, created: date,
      body: text.body(index + 7))
  }
}

/// The generated texts of an issue, which are about the same part of the repository.
private struct IssueText {
  let choices: Choices
  let title: String
  private let kind: String
  private let subject: Words.Subject

  /// Generates texts; the title is in another script for a number of a foreign title.
  init(_ repository: Repository, _ seed: String, foreign: Int?) {
    let words = Words.shared
    choices = Choices("\(repository.fullName) \(seed)")
    subject = words.subjects.first { $0.name == repository.subject } ?? words.subjects[0]
    let titles = words.lists["foreign", default: []]
    if let foreign {
      (kind, title) = ("foreign", titles[foreign % titles.count])
    } else {
      kind = choices.filled("<kind>", from: words.lists)
      let text = choices.filled("<\(kind)>", from: Words.lists(about: subject))
      title = text.prefix(1).uppercased() + text.dropFirst()
    }
  }

  /// Up to four labels.
  var labels: [Label] {
    let words = Words.shared
    guard choices.number("labels", below: 5) > 0 else { return [] }
    var labels = (kind == "crash" ? ["bug", kind] : [kind]).compactMap { words.labels[$0] }
    if choices.number("own", below: 2) == 0 {
      labels.append(choices.pick("label", of: subject.labels))
    }
    if choices.number("other", below: 4) == 0 {
      labels.append(choices.pick("label", of: words.otherLabels))
    }
    return labels
  }

  /// Generates a body: nil, empty, a line, a report, or several kilobytes of Markdown.
  func body(_ index: Int) -> String? {
    let words = Words.shared
    // The first issues cover all lengths, so that small repositories have them, too.
    let list = index < 8 ? words.bodies[index] : choices.pick("body", of: words.bodies)
    return list.map {
      $0.isEmpty ? "" : choices.filled("<\($0)>", from: Words.lists(about: subject))
    }
  }
}
