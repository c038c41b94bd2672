/// Lays out the parts of a view in a terminal.
struct TerminalLayout {
  let view: ViewContent
  /// The controls, which receive the scrollable range.
  var controls: TerminalControls
  let terminal: Terminal

  var width: Int { terminal.width ?? 80 }
  var colors: Terminal.Colors { terminal.colors }
}
