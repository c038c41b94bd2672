#if canImport(SwiftUI)
  public import AppComposition
  public import Application
  public import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// The repositories of a language, and the details of each repository.
  public struct RepositoriesView: View {
    private let sources: AppSources
    private let path: RoutePath<RepositoryRoute>
    @State private var model: ScreenModel<Repositories>

    /// Creates a view that shows data from the given sources.
    ///
    /// - Parameter path: The navigation path of open repositories.
    public init(_ sources: AppSources, path: RoutePath<RepositoryRoute>) {
      (self.sources, self.path) = (sources, path)
      _model = State(
        initialValue: sources.model(
          Repositories(host: sources.host, recent: sources.recent, first: "swift")))
    }

    init(model: ScreenModel<Repositories>, _ sources: AppSources) {
      (self.sources, path) = (sources, RoutePath())
      _model = State(initialValue: model)
    }

    /// The view.
    public var body: some View {
      RouteStack(path) {
        SearchList(
          model.search, prompt: "Language", send: { model.send(.search($0)) }
        ) { repository in
          NavigationLink(value: RepositoryRoute(repository.name)) {
            let row = RepositoryRow(repository)
            MediaRow(
              picture: row.avatar, title: row.name,
              details: [
                row.summary, row.stars.map { "\($0) stars" },
                model.pending.text(ofStar: repository.name),
              ], sources)
          }
        }
        .navigationTitle("Repositories")
        .toolbar { Button("Filter") { model.send(.openFilter) } }
        .sheet(isPresented: model.binding(\.isFiltering) { $0 ? .openFilter : .closeFilter }) {
          FilterView(model: model)
        }
        .activity(of: model)
        .running(model)
      } destination: { route in
        RepositoryView(route, sources)
      }
    }
  }

  private struct FilterView: View {
    let model: ScreenModel<Repositories>

    var body: some View {
      NavigationStack {
        List {
          Picker("Stars", selection: model.binding(\.chosenMinimum) { .filter(.minimum($0)) }) {
            ForEach(RepositoryFilter.minimums, id: \.self) { minimum in
              Text(minimum == 0 ? "All" : "At least \(minimum)").tag(minimum)
            }
          }
          Button("Show") { model.send(.applyFilter) }
        }
        .navigationTitle("Filter")
      }
    }
  }

  private struct RepositoryView: View {
    @State private var model: ScreenModel<RepositoryDetail>
    let route: RepositoryRoute

    init(_ route: RepositoryRoute, _ sources: AppSources) {
      self.route = route
      _model = State(
        initialValue: sources.model(
          RepositoryDetail(host: sources.host, recent: sources.recent)))
    }

    var body: some View {
      List {
        if let repository = model.repository {
          let row = RepositoryRow(repository)
          Text(row.summary)
          if let isStarred = model.stars.isStarred(repository) {
            Button(isStarred ? "Remove the star" : "Star") {
              model.send(.stars(.star(repository.name, isOn: !isStarred)))
            }
          }
          if let state = model.pending.text(ofStar: repository.name) {
            Text(state).foregroundStyle(.secondary)
          }
          Text("\(row.stars ?? "–") stars, \(row.forks ?? "–") forks")
          if let count = repository.openIssues { Text("\(count) open issues") }
          if let licence = repository.licence { Text(licence) }
        } else if model.detail.content == .empty {
          ContentUnavailableView("There is no such repository", systemImage: "questionmark.folder")
        }
        PendingSection(model.pending) { model.send(.pending($0)) }
      }
      .navigationTitle("\(route.name)")
      .onAppear { model.send(.detail(.show(route.name))) }
      .refreshable { await model.send(.detail(.refresh)).finished() }
      .activity(of: model)
      .running(model)
    }
  }
#endif
