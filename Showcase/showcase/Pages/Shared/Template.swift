package import CurlewLive
import Mustache

/// A Mustache template of a page; all of them can use the parts that pages share, as `{{> pager}}`.
package struct Template: Sendable {
  private static let parts = MustacheLibrary(
    templates: [
      "activity": PackageResources.activity_mustache, "pager": PackageResources.pager_mustache,
      "choices": PackageResources.choices_mustache, "leftout": PackageResources.leftout_mustache,
      "label": PackageResources.label_mustache, "age": PackageResources.age_mustache,
    ].mapValues { parsed($0) })

  private let template: MustacheTemplate

  /// Reads a template out of the program's resources; a malformed one is a programmer's error.
  package init(_ bytes: [UInt8]) {
    template = Self.parsed(bytes)
  }

  /// Draws values, without characters that change the direction of the text.
  package func draw(_ values: Any) -> HTML {
    HTML(trusted: template.render(values, library: Self.parts).withoutDirectionControls)
  }

  private static func parsed(_ bytes: [UInt8]) -> MustacheTemplate {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      return try MustacheTemplate(html: text)
    } catch {
      preconditionFailure("a malformed template: \(error), in \(text.prefix(60))")
    }
  }
}

// MARK: Pages

extension Template {
  static let home = Template(PackageResources.home_mustache)
  static let issues = Template(PackageResources.issues_mustache)
  static let movie = Template(PackageResources.movie_mustache)
  static let movies = Template(PackageResources.movies_mustache)
  static let newIssue = Template(PackageResources.newissue_mustache)
  static let repositories = Template(PackageResources.repositories_mustache)
  static let repository = Template(PackageResources.repository_mustache)
  static let search = Template(PackageResources.search_mustache)
  static let topMovies = Template(PackageResources.itunes_mustache)
  static let watch = Template(PackageResources.watch_mustache)
}
