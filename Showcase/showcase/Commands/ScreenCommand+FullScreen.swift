import CurlewLive
import CurlewScreens
import Foundation

extension ScreenCommand {
  /// Whether the command runs interactively on a terminal with cursor control.
  var isFullScreen: Bool {
    !lines && isatty(STDIN_FILENO) == 1 && Terminal(of: .output).hasCursor
  }

  /// Runs the screen in the whole terminal window until the user quits.
  @MainActor
  func show(_ page: any ShowcasePage, _ sources: DataSources, _ traces: TraceRecorder?) async throws
  {
    let address = "/" + (address ?? name.address).drop { $0 == "/" }
    guard page.query(of: address) != nil else { throw Self.unknown(address) }
    let session = TerminalSession(
      sources, traces: traces, colors: Terminal(of: .output).colors, size: { TerminalMode.size },
      output: StandardStream.output.write)
    TerminalMode.enter()
    defer { TerminalMode.leave() }
    // A recording ends the process with `exit` after it is written.
    let input = TerminalInput(session.input, endsAtSignals: options.record == nil && traces == nil)
    defer { input.stop() }
    try await session.run(page, at: address)
  }
}
