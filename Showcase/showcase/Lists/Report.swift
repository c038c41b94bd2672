import Domain
import Foundation

/// What a command prints: a list, and what there is to say about it.
struct Report<Item: Printed> {
  enum Format {
    case json
    case table(Terminal)
  }

  private let list: Loaded<Item>
  private let title: String
  private let nothing: String
  private let isMadeUp: Bool
  private let failure: Failure?

  /// Describes a list.
  ///
  /// - Parameters:
  ///   - failure: What kept the list from being whole.
  init(
    _ list: Loaded<Item>, of query: Query<Item>, title: String, isMadeUp: Bool, failure: Failure?
  ) {
    self.list = list
    self.title = title
    self.isMadeUp = isMadeUp
    self.failure = failure
    nothing = query.nothing(list)
  }

  /// Writes the list to standard output and the notes to standard error.
  ///
  /// - Throws: ``Failure`` when the list is empty or not whole.
  func print(as format: Format, now: Date = Date()) throws {
    switch format {
    case .json: try StandardStream.output.write(Item.documents(of: list).json)
    case .table(let terminal):
      if !list.items.isEmpty {
        try StandardStream.output.write(text(for: terminal, now: now))
      }
    }
    for note in notes { try StandardStream.error.write(note.printable + "\n") }
    if let failure {
      let next = list.nextPage.map { " Page \($0) and what comes after it are missing." } ?? ""
      throw Failure(failure.description + next, status: failure.status)
    }
    if list.items.isEmpty { throw Failure("Nothing found: \(nothing).", status: .nothingFound) }
  }

  /// The list as a table; on a terminal with a heading above it.
  func text(for terminal: Terminal, now: Date) -> String {
    let table = Item.table(of: list, isColoured: terminal.colors != .none, now: now)
    var lines = table.lines(within: terminal.width)
    if let width = terminal.width {
      lines.insert(Cell([Span(heading, .bold)]).fitted(to: width), at: 0)
    }
    return lines.map { $0.rendered(in: terminal.colors) + "\n" }.joined()
  }

  /// `swift: 10 of 248 repositories on page 2 (sandbox data)`.
  private var heading: String {
    let count = list.items.count
    let total = list.total.flatMap { $0 > count ? $0 : nil }
    let isPart = list.first > 1 || list.nextPage != nil
    return "\(title): \(count)" + (total.map { " of \($0)" } ?? "")
      + " " + ((total ?? count) == 1 ? Item.noun.one : Item.noun.many)
      + (isPart && list.pages == 1 ? " on page \(list.first)" : "")
      + (isMadeUp ? " (sandbox data)" : "")
  }

  /// What else there is to know.
  var notes: [String] {
    var notes: [String] = []
    if !list.damaged.isEmpty { notes.append(damages) }
    if list.isIncomplete {
      notes.append(
        "The results are incomplete: the server gave up before it had looked everywhere.")
    }
    if let next = list.nextPage, failure == nil, !list.items.isEmpty {
      notes.append(
        "There are more \(Item.noun.many): the next are on --page \(next), all with --all.")
    }
    return notes
  }

  /// `1 entry could not be read: entry 3, …`, with the first three of them.
  private var damages: String {
    let shown = list.damaged.prefix(3).map { damage in
      let page = list.pages > 1 ? " of page \(damage.page)" : ""
      return "entry \(damage.entry.index + 1)\(page), \(damage.entry.reason.withoutStop)"
    }
    let rest = list.damaged.count - shown.count
    let count = list.damaged.count == 1 ? "1 entry" : "\(list.damaged.count) entries"
    return "\(count) could not be read: " + shown.joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
  }
}

extension String {
  /// The text without a sentence's end, so that it can be a part of another one.
  fileprivate var withoutStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
