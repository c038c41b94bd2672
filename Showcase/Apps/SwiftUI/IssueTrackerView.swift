#if canImport(SwiftUI)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// The issues of a repository: a search field, and a list.
  public struct IssueTrackerView: View {
    @State private var model: AppModel<IssueTracker>

    /// Shows what the sources have.
    public init(_ sources: AppSources) {
      _model = State(initialValue: sources.model(IssueTracker(TrackIssues(host: sources.host))))
    }

    init(model: AppModel<IssueTracker>) { _model = State(initialValue: model) }

    /// The view.
    public var body: some View {
      NavigationStack {
        FeedList(model.search.list, send: { model.send(.search(.list($0))) }) { issue in
          IssueLine(IssueRow(issue, now: .now))
        }
        .overlay { if let message { Text(message).foregroundStyle(.secondary) } }
        .searchable(
          text: model.binding(\.search.text) { .search(.term($0)) }, prompt: "owner/name"
        )
        .onSubmit(of: .search) { model.send(.search(.submit())) }
        .navigationTitle("Issues")
      }
      .activity(of: model)
      .running(model)
    }

    private var message: String? {
      let search = model.search
      if search.list.status == .empty { return "No open issues in \(search.term ?? "")." }
      return search.list.items.isEmpty && search.query.isEmpty ? IssueTracker.hint : search.hint
    }
  }

  private struct IssueLine: View {
    let row: IssueRow

    init(_ row: IssueRow) { self.row = row }

    var body: some View {
      VStack(alignment: .leading) {
        Text(row.title)
        Text("\(row.number) by \(row.author), \(row.age)")
          .font(.subheadline)
          .foregroundStyle(.secondary)
      }
      .accessibilityElement(children: .combine)
    }
  }
#endif
