import CurlewTerminal
import CurlewTesting
import Testing
import showcase

/// Opens an address of the showcase in a virtual terminal.
func terminal(
  at address: String, on sources: DataSources, columns: Int = 80, rows: Int = 24,
  environment: [String: String] = ["TERM": "xterm-256color"],
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> TerminalProbe {
  let app = ScreenEntry.all.lazy.compactMap { $0.page(sources).terminalApp(at: address) }.first
  return TerminalProbe(
    try #require(app, sourceLocation: sourceLocation).withPages(of: sources), columns: columns,
    rows: rows, environment: environment)
}
