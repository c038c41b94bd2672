import ArgumentParser
import CurlewLive

/// A screen of the showcase, and all that is made of it: a page, a link to it, a command that prints
/// its data, and what `showcase screen` says of it.
package struct ScreenEntry: Sendable {
  /// A link in the navigation.
  struct Link: Sendable {
    let title: String
    /// The path of its icon, 24 by 24.
    let icon: String
    /// Its page in miniature.
    let picture: Picture
    /// What one sees there, in a sentence.
    let text: String
    /// The name of what its pages show beside the link, a number.
    var slot: String?
  }

  /// A page drawn in three colours, 160 by 90.
  struct Picture: TemplateValues {
    /// The paths of fields, cards and posters, of texts, and of what has the accent's colour.
    let areas, texts, accents: String

    static let names: TemplateNames<Self> = [
      "areas": \.areas, "texts": \.texts, "accents": \.accents,
    ]
  }

  /// All screens, those of the first four links most wanted; a new one is a line here.
  package static let all: [ScreenEntry] = [
    .issues,
    .newIssue,
    .repositories,
    .repository,
    .movies,
    .movie,
    .dogs,
    .dog,
    .watch,
    .topMovies,
  ]

  /// The name for `showcase screen`; its link is `/` and the name.
  package let name: String
  /// Where the screen opens, if not where the link leads.
  var start: String?
  /// The link in the navigation; `nil` for a screen that others lead to.
  var link: Link?
  /// The name of the screen whose link is current on this screen's page, where it has none itself.
  var parent: String?
  /// The actions of the page, for the help of `showcase screen`.
  package let actions: String
  /// The command that prints the screen's data.
  let command: any (AsyncParsableCommand & SendableMetatype).Type
  /// A command line, and what it prints.
  package let example: (command: String, result: String)
  /// Makes the page.
  package let page: @Sendable (DataSources) -> any ShowcasePage

  /// Where the link leads.
  var path: String { "/\(name)" }

  /// Where the screen opens.
  package var address: String { start ?? path }

  /// The screen that a path belongs to.
  static func of(_ path: String) -> ScreenEntry? {
    all.first { path == $0.path || path == $0.address || path.hasPrefix("\($0.path)/") }
  }
}

extension ScreenEntry: ExpressibleByArgument {
  /// Finds a screen by its name.
  package init?(argument: String) {
    guard let entry = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = entry
  }

  static var allValueStrings: [String] { all.map(\.name) }
}
