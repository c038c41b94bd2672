import CurlewScreens

/// An error thrown for a line of a script that is no command of an app.
public struct UnknownLine: Error, CustomStringConvertible {
  /// The line.
  public let line: String

  /// A sentence with the line.
  public var description: String { "There is no action or address '\(line)' on this screen." }
}

/// A session with plain lines, for a screen reader or a script: it prints what has changed, and reads commands.
@MainActor
final class LineSession {
  private static let maximumRows = 100
  private static let help =
    "Type a row's number to open it, a field's name with a text, a key, more, r (reload), b (back), ? (keys), or q (quit)."
  private static let plain = Terminal(windowWidth: nil, environment: [:])

  private let terminal: Terminal
  /// The prompt; `nil` for a script, where an unknown line is an error.
  private let prompt: String?
  private let output: (String) -> Void
  private var session: TerminalSession!
  /// The routes that the screen navigates to.
  private var routes: [any Route] = []
  private var lines: [String] = []
  private var rows: [String] = []
  private var isPromptShown = false

  /// Opens an app.
  ///
  /// - Parameter output: Writes to the terminal, or to the script's reader.
  init(
    _ app: TerminalApp, prompt: String?, on terminal: Terminal, output: @escaping (String) -> Void
  ) {
    (self.prompt, self.terminal, self.output) = (prompt, terminal, output)
    session = TerminalSession(app, clock: ContinuousClock(), executor: nil) { [weak self] event in
      MainActor.assumeIsolated {
        if case .opened(let route) = event { self?.routes.append(route) } else { self?.announce() }
      }
    }
  }

  /// Performs lines until the end or `q`; each line waits until the screen is idle.
  func play(_ lines: some AsyncSequence<String, any Error>) async throws {
    if prompt != nil { write(Self.help) }
    await settle()
    ask()
    for try await line in lines {
      isPromptShown = false
      let line = String(line.trimmingPrefix { $0 == " " })
      if line == "q", prompt != nil { break }
      if !line.isEmpty, !line.hasPrefix("#") {
        if !perform(line) {
          let unknown = UnknownLine(line: line)
          guard prompt != nil else { throw unknown }
          write(unknown.description)
        }
        await settle()
      }
      ask()
    }
    session = nil
  }

  /// Waits until the screen is idle, and opens the screens that it navigates to.
  private func settle() async {
    announce()
    await session.visit.runner.waitUntilIdle()
    announce()
    while !routes.isEmpty {
      let route = routes.removeFirst()
      if session.open(route) { await settle() } else { write("→ \(route.address)") }
    }
  }

  /// Performs a line; returns whether it is a command.
  private func perform(_ line: String) -> Bool {
    let view = session.visit.view()
    if let events = session.visit.events(line), !events.isEmpty { return run(.send(events)) }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    if let number = Int(words[0]), let list = view.list, number > 0, number <= list.count {
      let key = words.count == 2 ? words[1] : ""
      let shortcut = list.shortcuts(number - 1).first { String($0.key) == key }
      return run(shortcut?.command ?? list.open(number - 1))
    }
    if line == "b" { return run(view.close ?? .leave) }
    if line == "more" { return run(view.list?.more?.command) }
    if line == "?" {
      for key in view.shortcuts { write("\(key.key): \(key.title)") }
      write(Self.help)
      return true
    }
    if line.count == 1, let command = view.command(for: Character(line), at: nil) {
      return run(command)
    }
    /// The text after a label.
    func text(_ label: String) -> String? {
      line.lowercased().hasPrefix(label.lowercased() + " ")
        ? String(line.dropFirst(label.count + 1)) : nil
    }
    for field in view.fields {
      guard let text = text(field.label) else { continue }
      return run(field.change(text), field.left, view.submit)
    }
    for choice in view.choices {
      let title = text(choice.label)?.lowercased()
      let index = choice.titles.firstIndex { $0.lowercased() == title }
      if let index { return run(choice.choose(index)) }
    }
    return false
  }

  /// Performs commands; returns whether there are any.
  private func run(_ commands: TerminalCommand?...) -> Bool {
    for command in commands.compactMap(\.self) {
      if case .show(let text) = command {
        for line in text.lines(on: Self.plain) { write(line) }
      } else {
        _ = session.perform(command)
      }
    }
    return commands.contains { $0 != nil }
  }

  /// Prints the lines of the current view that have changed; in a script, all of them after a change.
  private func announce() {
    guard let view = session?.visit.view() else { return }
    let problems = view.fields.compactMap { field in
      field.problem.map { "\(field.label): \($0)" }
    }
    let texts = [view.title, view.status] + view.remarks + problems + view.alerts.map(\.text)
    let new = (texts + [view.note ?? ""]).filter { !$0.isEmpty }
    if new != lines { for line in new where prompt == nil || !lines.contains(line) { write(line) } }
    var newRows = view.text?.lines(on: Self.plain) ?? []
    if view.text == nil, let list = view.list {
      let count = min(list.count, Self.maximumRows)
      newRows = list.rows(0..<count, Self.plain).lines.enumerated().map { "\($0 + 1). \($1)" }
      if list.count > count { newRows.append("\(list.count - count) more rows") }
    }
    // Of a list, only the rows that have changed; a text is read as a whole.
    let known = view.text == nil ? rows : newRows == rows ? newRows : []
    for row in newRows where !known.contains(row) { write(row) }
    (lines, rows) = (new, newRows)
  }

  /// Writes a line; above the prompt if it is shown.
  private func write(_ line: String) {
    let line = terminal.encoded(line.printable)
    output(isPromptShown ? "\r\(line)\n\(prompt ?? "")" : line + "\n")
  }

  private func ask() {
    isPromptShown = prompt != nil
    if let prompt { output(prompt) }
  }
}
