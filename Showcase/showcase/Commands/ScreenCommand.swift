import ArgumentParser
import CurlewLive
import CurlewTerminal
import Foundation

/// `showcase screen NAME`: runs a screen in the terminal.
package struct ScreenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen",
    abstract: "Run a screen in the terminal.",
    discussion: """
      On a terminal, the screen fills the window. / moves to the field, Tab to the next part, and the \
      arrow keys select. Enter searches or opens, Escape closes, leaves or clears, r reloads, and q \
      or Control-C quits. ? shows all keys.

      Elsewhere, with --lines, or with TERM=dumb, it reads actions from standard input, one per \
      line, and prints a status line after each change of state. The screens and their actions:

      \(actions)

      A line that begins with / opens that address, such as /issues?q=apple/swift. On a terminal, \
      --lines prompts for each line and reports unknown actions; Control-D quits. Otherwise, an \
      unknown action exits with 64. At the end of input it exits with 0.
      """)

  @Argument(help: "The name of the screen.")
  var name: ScreenEntry

  @Argument(
    help: ArgumentHelp(
      "The address to open; the screen's own by default.", valueName: "address"))
  var address: String?

  @Flag(help: "Read actions from lines on a terminal, too.")
  var lines = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @OptionGroup var color: ColorOption

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  @OptionGroup var trace: TraceOptions

  func run() async throws {
    let isTerminal = isatty(STDIN_FILENO) == 1 && Terminal.output().width != nil
    // Log messages would overwrite the window, unless standard error is redirected.
    let isQuiet = isTerminal && !lines && Terminal.output().hasCursor && Terminal.error.width != nil
    try await Backend.run(
      options, log: isQuiet ? .silent : nil, observers: isQuiet ? [] : nil,
      trace: trace.recordTrace
    ) { backend in
      let address = "/" + (address ?? name.address).drop { $0 == "/" }
      let page = name.page(backend.sources)
      guard
        let app = page.terminalApp(
          at: address, isScript: !isTerminal, recorder: backend.traces)
      else { throw Self.unknown(address) }
      do {
        // A recording ends the process with `exit` after it is written.
        try await (isTerminal ? app.withPages(of: backend.sources, recorder: backend.traces) : app)
          .run(
            lines: lines, mouse: !noMouse, isColored: color.isColored,
            endsAtSignals: options.record == nil && trace.recordTrace == nil)
      } catch let error as UnknownLine {
        throw Self.unknown(error.line)
      }
    }
  }

  /// Returns the error for an action or an address that a screen doesn't support.
  static func unknown(_ line: String) -> Failure {
    Failure(
      "There is no action or address '\(line)' on this screen; see showcase help screen.",
      status: .usage)
  }

  /// The names of the screens with their actions.
  private static var actions: String {
    let width = ScreenEntry.all.map(\.name.count).max() ?? 0
    return ScreenEntry.all.map { entry in
      let name = "  " + entry.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
      // The help would start the second line at the margin.
      var (lines, line): ([String], String) = ([], name)
      for action in entry.actions.split(separator: " ") {
        if line.count + 1 + action.count > 79 {
          lines.append(line)
          line = String(repeating: " ", count: width + 4)
        }
        line += (line.hasSuffix(" ") ? "" : " ") + action
      }
      return (lines + [line]).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
