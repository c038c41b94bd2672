import Application
import CurlewLive
import CurlewScreens
import CurlewTesting
import showcase

/// A page in a simulated terminal window with a virtual clock: keys are the input, lines the
/// output.
struct TerminalWindow<Page: ShowcasePage> {
  let drawn: DrawnPage<Page>
  private(set) var controls: TerminalControls
  var size: TerminalSize
  var colors = Terminal.Colors.none
  /// The commands for the program instead of the page.
  private(set) var commands: [TerminalCommand] = []

  init(_ page: Page, at address: String, columns: Int = 80, rows: Int = 24) {
    drawn = DrawnPage(page, at: address)
    size = TerminalSize(columns: columns, rows: rows)
    controls = TerminalControls(
      in: drawn.page.terminalView(of: drawn.probe.state, drawn.probe.activity))
    draw()
  }

  var view: TerminalView { drawn.page.terminalView(of: drawn.probe.state, drawn.probe.activity) }

  /// The state of the page's own screen.
  var state: Page.Content.State { drawn.probe.state }

  /// Returns the frame, after loading the rows that fit into the window.
  @discardableResult
  mutating func draw() -> TerminalFrame {
    let view = view
    let frame = TerminalFrame(view, &controls, size: size, colors: colors)
    guard case .act(let name, let value) = controls.wanted(in: view) else { return frame }
    drawn.act(name, value)
    return draw()
  }

  /// Returns the lines without styles and trailing spaces.
  mutating func lines() -> [String] {
    draw().lines.map { $0.withoutStyles.replacing(/\ +$/, with: "") }
  }

  mutating func press(_ keys: TerminalKey...) {
    for key in keys {
      for command in controls.press(key, in: view) {
        switch command {
        case .act(let name, let value): drawn.act(name, value)
        case .reload: drawn.act("refresh")
        default: commands.append(command)
        }
      }
      draw()
    }
  }
}
