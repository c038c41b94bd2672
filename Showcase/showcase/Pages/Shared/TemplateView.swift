package import CurlewLive

/// Values with the template that draws them.
package protocol TemplateView: TemplateValues {
  static var template: HTMLTemplate<Self> { get }
}

extension TemplateView {
  /// Draws it, without characters that change the direction of the text.
  package var html: HTML { Self.template(self).removingDirectionControls() }

  /// Reads the template, which stops with what does not fit.
  package static func check() { _ = template }
}

/// All that is drawn by a template of its own: a new one is a word here.
package var templateViews: [any TemplateView.Type] {
  [
    HomeView.self, DogView.self, DogRowView.self, DogDetailView.self,
    IssuesView.self, IssueRowView.self, PickedIssueView.self, OverviewView.self,
    WatchView.self, WatchRowView.self, RepositoriesView.self, RepositoryRowView.self,
    RepositoryView.self, MoviesView.self, MovieRowView.self, MovieView.self, TopMoviesView.self,
    StoreMovieView.self, NewIssueView.self, SearchView.self, SearchResultView.self,
    LayoutView.self, MissingView.self,
  ]
}

extension HTMLTemplate {
  private static var partials: [String: [UInt8]] {
    [
      "activity": PackageResources.activity_mustache, "pager": PackageResources.pager_mustache,
      "choices": PackageResources.choices_mustache, "leftout": PackageResources.leftout_mustache,
      "label": PackageResources.label_mustache, "age": PackageResources.age_mustache,
      "issue": PackageResources.issue_mustache, "star": PackageResources.star_mustache,
      "link": PackageResources.link_mustache,
    ]
  }

  /// Reads a template out of the program's resources, which can use the partials that pages share, as `{{> pager}}`; one
  /// that does not fit is a programmer's error.
  package init(_ bytes: [UInt8]) {
    let text = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self) }
    do {
      try self.init(text(bytes), partials: Self.partials.mapValues(text))
    } catch {
      preconditionFailure("the template of \(Values.self): \(error)")
    }
  }
}
