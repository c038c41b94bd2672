import CurlewScreens
import Synchronization

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

  private let app: TerminalApp
  private let clock: any Clock<Duration>
  private let terminal: Terminal
  /// The prompt; `nil` for a script, where an unknown line is an error.
  private let prompt: String?
  private let output: (String) -> Void
  private let routes = Mutex<[any Route]>([])
  private var session: TerminalSession?
  private var lines: [String] = []
  private var rows: [String] = []
  private var isPromptShown = false

  /// Creates a session.
  ///
  /// - Parameter output: Writes to the terminal, or to the script's reader.
  init(
    _ app: TerminalApp, prompt: String?, on terminal: Terminal,
    clock: any Clock<Duration> = ContinuousClock(), output: @escaping (String) -> Void
  ) {
    (self.app, self.prompt, self.terminal, self.clock, self.output) = (
      app, prompt, terminal, clock, output
    )
  }

  /// Performs lines until the end or `q`; each line waits until the screen is idle.
  func play(_ lines: some AsyncSequence<String, any Error>) async throws {
    let session = TerminalSession(
      app,
      TerminalSession.Context(clock: clock, executor: nil) { [weak self] event in
        switch event {
        case .opened(let route): self?.routes.withLock { $0.append(route) }
        default: MainActor.assumeIsolated { self?.announce() }
        }
      })
    self.session = session
    defer { self.session = nil }
    if prompt != nil { write(Self.help) }
    announce()
    await settle(session)
    ask()
    for try await line in lines {
      isPromptShown = false
      let line = String(line.trimmingPrefix(" "))
      if line == "q", prompt != nil { return }
      if !line.isEmpty, !line.hasPrefix("#") {
        if perform(line, in: session) {
          await settle(session)
        } else if prompt == nil {
          throw UnknownLine(line: line)
        } else {
          write(UnknownLine(line: line).description)
        }
      }
      ask()
    }
  }

  /// Waits until the screen is idle, and opens the screens that it navigates to.
  private func settle(_ session: TerminalSession) async {
    await session.visit.waitUntilIdle()
    announce()
    for route in routes.withLock({ routes in
      defer { routes = [] }
      return routes
    }) {
      guard session.open(route) else {
        write("→ \(route.address)")
        continue
      }
      announce()
      await settle(session)
    }
  }

  /// Performs a line; returns whether it is a command.
  private func perform(_ line: String, in session: TerminalSession) -> Bool {
    let view = session.visit.view
    if session.visit.perform(line) { return true }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count == 2 ? words[1] : ""
    if let number = Int(words[0]), let list = view.list, (1...max(1, list.count)).contains(number),
      list.count > 0
    {
      let shortcut = list.shortcuts(number - 1).first { String($0.key) == rest }
      return run(shortcut?.command ?? list.open(number - 1), in: session)
    }
    if let shortcut = view.shortcuts.first(where: { String($0.key) == line }) {
      return run(shortcut.command, in: session)
    }
    switch line {
    case "b": return run(view.text == nil ? .leave : view.close ?? .leave, in: session)
    case "r": return run(.reload, in: session)
    case "x": return run(view.alerts.first.map { .dismiss($0.id) }, in: session)
    case "more": return run(view.list?.more?.command, in: session)
    case "?":
      for key in view.shortcuts { write("\(key.key): \(key.title)") }
      write(Self.help)
      return true
    default: break
    }
    for field in view.fields {
      guard let text = line.text(after: field.label) else { continue }
      for command in [field.change(text), field.left, view.submit] { run(command, in: session) }
      return true
    }
    for choice in view.choices {
      guard let text = line.text(after: choice.label),
        let index = choice.titles.firstIndex(where: { $0.lowercased() == text.lowercased() })
      else { continue }
      return run(choice.choose(index), in: session)
    }
    return false
  }

  @discardableResult
  private func run(_ command: TerminalCommand?, in session: TerminalSession) -> Bool {
    switch command {
    case nil: return false
    case .show(let text): for line in text.lines(on: Self.plain) { write(line) }
    case let command?: _ = session.perform(command)
    }
    return true
  }

  private static var plain: Terminal { Terminal(windowWidth: nil, environment: [:]) }

  /// Prints the lines of the current view that have changed.
  private func announce() {
    guard let view = session?.visit.view else { return }
    let problems = view.fields.compactMap { field in
      field.problem.map { "\(field.label): \($0)" }
    }
    let texts = [view.title, view.status] + view.remarks + problems + view.alerts.map(\.text)
    let new = (texts + [view.note ?? ""]).filter { !$0.isEmpty }
    if new != lines { for line in new where prompt == nil || !lines.contains(line) { write(line) } }
    lines = new
    if let text = view.text {
      announce(text.lines(on: Self.plain))
    } else if let list = view.list {
      let count = min(list.count, Self.maximumRows)
      let (_, texts) = list.rows(0..<count, Self.plain)
      let more = list.count > count ? ["\(list.count - count) more rows"] : []
      announce(texts.enumerated().map { "\($0 + 1). \($1)" } + more)
    } else {
      announce([])
    }
  }

  /// Prints the rows that follow the printed ones, or all if others have changed.
  private func announce(_ new: [String]) {
    let kept = zip(rows, new).prefix { $0 == $1 }.count
    for row in kept == rows.count ? new[kept...] : new[...] { write(row) }
    rows = new
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

extension String {
  /// The text after a label and a space, in any case; `nil` without the label.
  fileprivate func text(after label: String) -> String? {
    guard lowercased().hasPrefix(label.lowercased() + " ") else { return nil }
    return String(dropFirst(label.count + 1))
  }
}
