import ArgumentParser

/// A screen of the showcase, and all that is made of it: a page, a link to it, a command that prints
/// its data, and what `showcase screen` says of it.
struct ScreenEntry: Sendable {
  /// A link in the navigation.
  struct Link: Sendable {
    let title: String
    /// The path of its icon, 24 by 24.
    let icon: String
    /// What one sees there, in a sentence.
    let text: String
  }

  /// All screens; a new one is a line here.
  static let all: [ScreenEntry] = [
    .issues,
    .newIssue,
    .watch,
    .repositories,
    .repository,
    .topMovies,
    .movies,
    .movie,
    .dogs,
  ]

  /// The name for `showcase screen`; its link is `/` and the name.
  let name: String
  /// Where the screen opens.
  let address: String
  /// The link in the navigation; `nil` for a screen that others lead to.
  let link: Link?
  /// The name of the screen whose link is current on this screen's page, where it has none itself.
  let section: String
  /// The actions of the page, for the help of `showcase screen`.
  let actions: String
  /// The command that prints the screen's data.
  let command: any (AsyncParsableCommand & SendableMetatype).Type
  /// A command line, and what it prints.
  let example: (command: String, result: String)
  /// Makes the page.
  let page: @Sendable (DataSources) -> any ShowcasePage

  init(
    _ name: String, address: String? = nil, link: Link? = nil, section: String? = nil,
    actions: String, command: any (AsyncParsableCommand & SendableMetatype).Type,
    example: (command: String, result: String),
    page: @escaping @Sendable (DataSources) -> any ShowcasePage
  ) {
    self.name = name
    self.address = address ?? "/\(name)"
    self.link = link
    self.section = section ?? name
    self.actions = actions
    self.command = command
    self.example = example
    self.page = page
  }

  /// Where the link leads.
  var path: String { "/\(name)" }

  /// The screen that a path belongs to.
  static func of(_ path: String) -> ScreenEntry? {
    all.first { path == $0.path || path == $0.address || path.hasPrefix("\($0.path)/") }
  }
}

extension ScreenEntry: ExpressibleByArgument {
  /// Finds a screen by its name.
  init?(argument: String) {
    guard let entry = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = entry
  }

  static var allValueStrings: [String] { all.map(\.name) }
}
