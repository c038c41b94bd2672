import ArgumentParser
import CurlewLive

/// The registration of a screen in the showcase: its page, its link, the command that prints its
/// data, and its help for `showcase screen`.
package struct ScreenEntry: Sendable {
  /// A link in the navigation.
  struct Link: Sendable {
    let title: String
    /// The path data of its icon, 24 by 24.
    let icon: String
    /// A miniature of its page.
    let miniature: Miniature
    /// A sentence that describes its page.
    let text: String
    /// The name of the slot for a number beside the link.
    var slot: String?
  }

  /// All screens; the first four links are the most important.
  ///
  /// Add new screens here.
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

  /// The name for `showcase screen`; the link's path is `/` and the name.
  package let name: String
  /// The initial address, if it differs from the link's path.
  var start: String?
  /// The link in the navigation; `nil` for a screen that is opened from other screens.
  var link: Link?
  /// The name of the screen whose link is current on this screen's page, if it has no link itself.
  var parent: String?
  /// The actions of the page, for the help of `showcase screen`.
  package let actions: String
  /// The command that prints the screen's data.
  let command: any (AsyncParsableCommand & SendableMetatype).Type
  /// An example command line, with its result.
  package let example: (command: String, result: String)
  /// Creates the page.
  package let page: @Sendable (DataSources) -> any ShowcasePage

  /// The path of the link.
  var path: String { "/\(name)" }

  /// The initial address.
  package var address: String { start ?? path }

  /// Returns the screen that a path belongs to.
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

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
