import CurlewLive
import Foundation

extension ScreenCommand {
  /// Whether a user sits at a terminal that can show a whole window.
  var isFullScreen: Bool {
    !lines && isatty(STDIN_FILENO) == 1 && Terminal(of: .output).hasCursor
  }

  /// Runs the screen in the whole window until the user has seen enough.
  @MainActor
  func show(_ page: any ShowcasePage, _ sources: DataSources) async throws {
    let address = "/" + (address ?? name.address).drop { $0 == "/" }
    guard page.query(of: address) != nil else { throw Self.unknown(address) }
    let session = TerminalSession(
      sources, colors: Terminal(of: .output).colors, size: { TerminalMode.size },
      output: StandardStream.output.write)
    TerminalMode.enter()
    defer { TerminalMode.leave() }
    // Whoever records ends by `exit`, after the recording is written.
    let input = TerminalInput(session.input, endsAtSignals: options.record == nil)
    defer { input.stop() }
    try await session.run(page, at: address)
  }
}
