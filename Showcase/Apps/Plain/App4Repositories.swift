import SwiftUI

// MARK: Network

struct Language: LosslessStringConvertible, Equatable, Sendable {
  let description: String

  init?(_ text: String) {
    guard text.wholeMatch(of: /[A-Za-z0-9 +#.*'\-]+/) != nil else { return nil }
    description = text
  }
}

extension GitHub {
  private struct Found: Decodable, Sendable {
    let totalCount: Int
    let items: [Repository]
  }

  func repositories(in language: Language, page: Int) async throws -> Page<Repository> {
    let found: Found = try await client.get(
      "search/repositories",
      query: [
        "q": "language:\"\(language)\"", "sort": "stars", "per_page": "10", "page": "\(page)",
      ])
    // GitHub returns at most 1,000 search results.
    return Page(items: found.items, hasMore: page * 10 < min(found.totalCount, 1000))
  }
}

// MARK: Views

struct RepositoryRoute: Hashable {
  let fullName: String
  var known: Repository?
}

extension RepositoryRoute {
  /// Parses `https://example.com/repositories/apple/swift`, or the same with the app's scheme.
  init?(link: URL) {
    let parts = ([link.host() ?? ""] + link.pathComponents).filter { $0 != "/" }.drop {
      $0 != "repositories"
    }.dropFirst()
    guard let name = RepositoryName(parts.joined(separator: "/")) else { return nil }
    self.init(fullName: name.description)
  }
}

struct RepositoriesView: View {
  @State private var search = Search(
    Loader(initially: Language("swift"), page: GitHub().repositories))
  @State private var path: [RepositoryRoute] = []

  var body: some View {
    NavigationStack(path: $path) {
      SearchScreen(search, prompt: "Language") { pages in
        List(pages.items) { repository in
          let route = RepositoryRoute(fullName: repository.fullName, known: repository)
          NavigationLink(value: route) { RepositoryRow(repository: repository) }.loadsNext(
            with: search.loader, after: repository)
        }.refreshable { await search.loader.refresh() }
      }.start {
        ContentUnavailableView(
          "Repositories", systemImage: "star",
          description: Text("Search for a language, such as Swift."))
      }.hint {
        ContentUnavailableView(
          "Not a Language", systemImage: "questionmark",
          description: Text("Languages are written like Swift or C++."))
      }.navigationTitle("Repositories").navigationDestination(for: RepositoryRoute.self) { route in
        RepositoryView(route: route).id(route)
      }
    }.onOpenURL { link in if let route = RepositoryRoute(link: link) { path = [route] } }
  }
}

private struct RepositoryRow: View {
  let repository: Repository

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(repository.fullName).font(.headline)
      if let description = repository.description {
        Text(description).font(.subheadline).foregroundStyle(.secondary)
      }
      Label(repository.stargazersCount.formatted(), systemImage: "star").font(.footnote)
    }.spoken(
      """
      \(repository.fullName), \(repository.stargazersCount) stars. \
      \(repository.description ?? "")
      """)
  }
}

struct RepositoryView: View {
  private let route: RepositoryRoute
  @State private var loader: Loader<String, Repository>

  init(route: RepositoryRoute) {
    self.route = route
    let loader = Loader(initially: route.fullName, fetch: GitHub().repository)
    _loader = State(initialValue: loader)
  }

  var body: some View {
    List {
      if let repository = loader.value ?? route.known {
        if let description = repository.description { Text(description) }
        LabeledContent("Stars", value: repository.stargazersCount.formatted())
        LabeledContent("Forks", value: repository.forksCount.formatted())
        LabeledContent("Open Issues", value: repository.openIssuesCount.formatted())
        if let watchers = repository.subscribersCount {
          LabeledContent("Watchers", value: watchers.formatted())
        }
        if let license = repository.license { LabeledContent("License", value: license.name) }
      }
    }.loads(with: loader).navigationTitle(route.fullName).navigationBarTitleDisplayMode(.inline)
  }
}
