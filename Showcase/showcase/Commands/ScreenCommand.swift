import ArgumentParser
import CurlewLive
import CurlewScreens
import Dispatch
import Foundation

/// `showcase screen NAME`: runs a screen in the terminal.
package struct ScreenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen",
    abstract: "Run a screen in the terminal.",
    discussion: """
      On a terminal, the screen fills the window. / moves to the field, Tab to the next part, and the \
      arrow keys select. Enter searches or opens, Escape closes, leaves or clears, r reloads, and q \
      or Control-C quits. The last line lists more keys. NO_COLOR is respected.

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

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  @OptionGroup var trace: TraceOptions

  func run() async throws {
    // Log messages would overwrite the window, unless standard error is redirected.
    let isQuiet = isFullScreen && Terminal(of: .error).width != nil
    try await Backend.run(
      options, log: isQuiet ? .silent : nil, observers: isQuiet ? [] : nil,
      trace: trace.recordTrace
    ) { backend in
      let page = name.page(backend.sources)
      if isFullScreen {
        try await show(page, backend.sources, backend.traces)
      } else {
        try await play(page, backend.traces)
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

  /// The lines of standard input.
  private static var inputLines: AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream {
      // Reading blocks, so it must not run on the shared thread pool of tasks.
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: readLine()) }
      }
    }
  }

  @MainActor
  private func play<Page: ShowcasePage>(
    _ page: Page, _ traces: TraceRecorder?
  ) async throws {
    // The reader of the output may have stopped reading.
    let output = { (text: String) in _ = try? StandardStream.output.write(text) }
    let isAsked = isatty(STDIN_FILENO) == 1 && Terminal(of: .output).hasCursor
    let prompt = Prompt(isAsked ? name.name : nil, output: output)
    if isAsked { prompt.write("Actions: \(name.actions); /… opens an address, Control-D quits.") }
    defer { if isAsked { output("\n") } }
    do {
      try await TerminalScreen(page, prompt: prompt, traces: traces).play(
        address ?? name.address, Self.inputLines)
    } catch let error as TerminalScreen<Page>.Unknown {
      throw Self.unknown(error.line)
    }
  }
}
