import ArgumentParser
import CurlewTerminal

/// The options for the output format of a command.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON with every field, for scripts.")
  var json = false

  @OptionGroup var color: ColorOption

  /// The standard output.
  var terminal: Terminal { color.terminal }
}

/// The option for the colours of a command.
struct ColorOption: ParsableArguments {
  /// When colours are used.
  enum Mode: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Option(
    help: ArgumentHelp(
      "Print colours: on a terminal unless NO_COLOR is set, always, or never.",
      valueName: "when"))
  var color = Mode.auto

  /// The standard output.
  var terminal: Terminal { .output(isColored: isColored) }

  /// Whether colours are used; `nil` if the terminal decides.
  var isColored: Bool? { color == .auto ? nil : color == .always }
}

/// The options for the pages of a list.
struct PageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The page to print; the first is 1.", valueName: "n"))
  var page: Int?

  @Flag(help: "Print every page, with a progress bar on a terminal.")
  var all = false

  func validate() throws {
    if all, page != nil {
      throw ValidationError("--page and --all can't be combined.")
    }
    if let page, !(1...1_000_000).contains(page) {
      throw ValidationError("--page must be between 1 and 1000000, not \(page).")
    }
  }

  /// The selected pages.
  var choice: PageChoice { all ? .all : .one(page ?? 1) }
}
