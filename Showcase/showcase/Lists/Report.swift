package import CurlewTerminal
import Domain
package import Foundation

/// The output of a command: a list and messages about it.
package struct Report<Item: Printed> {
  let list: Loaded<Item>
  /// The title of the list.
  let title: String
  /// The reason for an empty list.
  let nothing: String
  let isFictitious: Bool

  package init(list: Loaded<Item>, title: String, nothing: String, isFictitious: Bool = false) {
    (self.list, self.title, self.nothing, self.isFictitious) = (list, title, nothing, isFictitious)
  }

  /// The failure that made the list incomplete.
  private var failure: Failure? {
    list.failure.flatMap { $0 is Replay.MissingPage ? nil : Failure($0) }
  }

  /// Writes the list to standard output, and the messages to standard error.
  ///
  /// - Throws: ``Failure`` if the list is empty or incomplete.
  func print(to output: OutputOptions) throws {
    if output.json {
      try StandardStream.output.write(list.items.map { Item.json($0) }.json)
    } else if !list.items.isEmpty {
      try StandardStream.output.write(text(for: output.terminal, now: Date()))
    }
    for note in [age(at: Date())].compactMap(\.self) + notes {
      try StandardStream.error.write(note + "\n")
    }
    if let failure {
      let next = list.nextPage.map { " Page \($0) and the following pages are missing." } ?? ""
      throw Failure(failure.description + next, status: failure.status)
    }
    if list.items.isEmpty { throw Failure("Nothing found: \(nothing).", status: .nothingFound) }
  }

  /// Returns the list as a table; adds a heading on a terminal.
  package func text(for terminal: Terminal, now: Date) -> String {
    var lines = Item.columns(now: now).table(of: list.items, on: terminal)
    if let width = terminal.width {
      lines.insert(heading.printable.fitted(to: width).styled("1", on: terminal), at: 0)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The heading, such as `swift: 10 of 248 repositories on page 2 (sandbox data)`.
  private var heading: String {
    let count = list.items.count
    let total = list.total.flatMap { $0 > count ? $0 : nil }
    let isPart = list.first > 1 || list.nextPage != nil
    return "\(title): \(count)" + (total.map { " of \($0)" } ?? "")
      + " " + ((total ?? count) == 1 ? Item.noun.one : Item.noun.many)
      + (isPart && list.pages == 1 ? " on page \(list.first)" : "")
      + (isFictitious ? " (sandbox data)" : "")
  }

  /// Returns the age of the list, such as `From 3 minutes ago.`; `nil` if it is new.
  package func age(at now: Date) -> String? {
    AgeView(asOf: list.asOf, isOffline: false, now: now).flatMap { $0.isNew ? nil : $0.text + "." }
  }

  /// Messages about the list.
  package var notes: [String] {
    var notes: [String] = []
    if let leftOut = LeftOut(list.damaged.map(\.reason)) { notes.append(leftOut.summary) }
    if list.isIncomplete {
      notes.append(
        "The results are incomplete: the server stopped the search early.")
    }
    if let page = list.repeatedPage {
      notes.append("Page \(page) only repeats earlier entries. The list ends there.")
    }
    if let end = list.failure as? Replay.MissingPage {
      notes.append("\(end) The list ends there.")
    } else if let next = list.nextPage, failure == nil, !list.items.isEmpty {
      notes.append(
        "There are more \(Item.noun.many): use --page \(next) for the next page, or --all.")
    }
    return notes
  }
}
