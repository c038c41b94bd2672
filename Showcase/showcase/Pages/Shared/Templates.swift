import CurlewLive
import Mustache

/// The pages' templates; each can have the others as its parts.
struct Templates: Sendable {
  enum Name: String, CaseIterable {
    case page, missing, issues, repositories, repository, itunes, movies, search
    case activity, pager, choices, leftout, label
  }

  private let library: MustacheLibrary

  /// Reads the templates.
  ///
  /// - Throws: When one is malformed.
  init() throws {
    var library = MustacheLibrary()
    for name in Name.allCases {
      try library.register(String(decoding: name.bytes, as: UTF8.self), named: name.rawValue)
    }
    self.library = library
  }

  /// Draws values with a template.
  func draw(_ name: Name, _ values: Any) -> HTML {
    HTML(trusted: library.render(values, withTemplate: name.rawValue) ?? "")
  }
}

extension Templates.Name {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .page: PackageResources.page_mustache
    case .missing: PackageResources.missing_mustache
    case .issues: PackageResources.issues_mustache
    case .repositories: PackageResources.repositories_mustache
    case .repository: PackageResources.repository_mustache
    case .itunes: PackageResources.itunes_mustache
    case .movies: PackageResources.movies_mustache
    case .search: PackageResources.search_mustache
    case .activity: PackageResources.activity_mustache
    case .pager: PackageResources.pager_mustache
    case .choices: PackageResources.choices_mustache
    case .leftout: PackageResources.leftout_mustache
    case .label: PackageResources.label_mustache
    }
  }
}
