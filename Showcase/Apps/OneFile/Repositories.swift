import Curlew
import CurlewScreens

// MARK: Network

nonisolated struct FoundRepositories: Decodable, Sendable {
  let totalCount: Int
  let items: LossyList<Repository>
}

nonisolated extension GitHub {
  func repositories(in language: String, page: Int) async throws -> Page<Repository> {
    let found: FoundRepositories = try await client.send(
      .get(
        "/search/repositories",
        query: ["q": "language:\"\(language)\"", "sort": "stars", "per_page": 10, "page": page]))
    // GitHub returns at most 1,000 search results.
    return Page(found.items.elements, number: page, of: (min(found.totalCount, 1000) + 9) / 10)
  }
}

// MARK: Views

nonisolated struct RepositoryRoute: Route {
  let name: RepositoryName

  var address: String { "/repositories/\(name.rawValue)" }

  init(_ name: RepositoryName) { self.name = name }

  init?(address: String) {
    guard address.hasPrefix("/repositories/"),
      let name = RepositoryName(rawValue: String(address.dropFirst(14)))
    else { return nil }
    self.init(name)
  }
}

nonisolated extension PagedSearch<Repository> {
  static func repositories(at github: GitHub, _ known: RecentValues<RepositoryName, Repository>)
    -> Self
  {
    PagedSearch(text: "swift") { language, key in
      let page = try await github.repositories(in: language, page: key?.number ?? 1)
      known.remember(page.items, by: \.fullName)
      return page
    }
  }
}

#if canImport(SwiftUI)
  import CurlewSwiftUI
  import SwiftUI

  struct RepositoriesView: View {
    private let github: GitHub
    @State private var path = RoutePath<RepositoryRoute>()
    @State private var known: RecentValues<RepositoryName, Repository>
    @State private var model: ScreenModel<PagedSearch<Repository>>

    init(github: GitHub = GitHub()) {
      let known = RecentValues<RepositoryName, Repository>()
      self.github = github
      _known = State(initialValue: known)
      _model = State(
        initialValue: ScreenModel(PagedSearch.repositories(at: github, known)))
    }

    var body: some View {
      RouteStack(path) {
        SearchList(model, prompt: "Language") { repository in
          NavigationLink(value: RepositoryRoute(repository.fullName)) {
            VStack(alignment: .leading) {
              Text(repository.fullName.rawValue).font(.headline)
              if let description = repository.description {
                Text(description).foregroundStyle(.secondary)
              }
              Label(repository.stargazersCount.formatted(), systemImage: "star").font(.footnote)
            }.accessibilityElement(children: .combine)
          }
        } placeholder: {
          ListPlaceholderView($0, initial: "Search for a language, such as Swift.")
        }.navigationTitle("Repositories").activity(of: model).running(model)
      } destination: { route in
        RepositoryView(route.name, known: known, github: github)
      }
    }
  }

  struct RepositoryView: View {
    private let name: RepositoryName
    @State private var model: ScreenModel<Detail<RepositoryName, Repository, Repository>>

    init(_ name: RepositoryName, known: RecentValues<RepositoryName, Repository>, github: GitHub) {
      self.name = name
      let detail = Detail(known: { known[$0] }) { try await github.repository($0) }
      _model = State(initialValue: ScreenModel(detail))
    }

    var body: some View {
      List {
        if let repository = model.latest {
          if let description = repository.description { Text(description) }
          LabeledContent("Stars", value: repository.stargazersCount.formatted())
          LabeledContent("Forks", value: repository.forksCount.formatted())
          LabeledContent("Open Issues", value: repository.openIssuesCount.formatted())
          if let watchers = repository.subscribersCount {
            LabeledContent("Watchers", value: watchers.formatted())
          }
          if let license = repository.license { LabeledContent("License", value: license.name) }
        } else if model.content == .empty {
          ContentUnavailableView("There is no such repository", systemImage: "questionmark.folder")
        }
      }.navigationTitle(name.rawValue).onAppear { model.send(.show(name)) }.activity(of: model)
        .running(model)
    }
  }
#endif
