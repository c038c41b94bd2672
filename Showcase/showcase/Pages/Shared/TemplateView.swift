package import CurlewLive

/// Values with the template that renders them.
package protocol TemplateView: TemplateValues {
  static var template: HTMLTemplate<Self> { get }
}

extension TemplateView {
  /// The rendered HTML, without characters that change the direction of text.
  package var html: HTML { Self.template(self).removingDirectionControls() }

  /// Parses the template, and stops the process if it is invalid.
  package static func check() { _ = template }
}

/// All views with their own template.
///
/// Add new views here.
package var templateViews: [any TemplateView.Type] {
  [
    HomeView.self, DogView.self, DogRowView.self, DogDetailView.self,
    IssuesView.self, IssueRowView.self, PickedIssueView.self, OverviewView.self,
    WatchView.self, WatchRowView.self, BoardView.self, RepositoriesView.self,
    RepositoryRowView.self,
    RepositoryView.self, MoviesView.self, MovieRowView.self, MovieView.self, TopMoviesView.self,
    StoreMovieView.self, NewIssueView.self, SearchView.self, SearchResultView.self,
    LayoutView.self, MissingView.self, SignInView.self, SignOutView.self,
  ]
}

extension HTMLTemplate {
  private static var partials: [String: [UInt8]] {
    [
      "activity": PackageResources.activity_mustache, "pager": PackageResources.pager_mustache,
      "choices": PackageResources.choices_mustache, "leftout": PackageResources.leftout_mustache,
      "label": PackageResources.label_mustache, "age": PackageResources.age_mustache,
      "issue": PackageResources.issue_mustache, "star": PackageResources.star_mustache,
      "link": PackageResources.link_mustache, "pending": PackageResources.pending_mustache,
      "discussion": PackageResources.discussion_mustache,
      "edit": PackageResources.edit_mustache, "status": PackageResources.status_mustache,
      "unseenstatus": PackageResources.unseenstatus_mustache,
      "previous": PackageResources.previous_mustache,
    ]
  }

  /// Creates a template from a resource; it can include the shared partials, such as `{{> pager}}`.
  ///
  /// An invalid template is a programming error.
  package init(_ bytes: [UInt8]) {
    let text = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self) }
    do {
      try self.init(text(bytes), partials: Self.partials.mapValues(text))
    } catch {
      preconditionFailure("the template of \(Values.self): \(error)")
    }
  }
}
