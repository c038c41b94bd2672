#if canImport(SwiftUI)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// The issues of a repository: a search field, and a list.
  public struct IssueTrackerView: View {
    private let sources: AppSources
    @State private var model: ScreenModel<IssueTracker>

    /// Creates a view that shows data from the given sources.
    public init(_ sources: AppSources) {
      self.sources = sources
      _model = State(initialValue: sources.model(IssueTracker(TrackIssues(host: sources.host))))
    }

    init(model: ScreenModel<IssueTracker>, _ sources: AppSources) {
      self.sources = sources
      _model = State(initialValue: model)
    }

    /// The view.
    public var body: some View {
      NavigationStack {
        SearchList(model.search, prompt: "owner/name", send: { model.send(.search($0)) }) { issue in
          IssueLine(issue, sources)
        } placeholder: { placeholder in
          switch placeholder {
          case .initial: ContentUnavailableView(IssueTracker.hint, systemImage: "ladybug")
          case .empty(let name):
            ContentUnavailableView("No open issues in \(name)", systemImage: "ladybug")
          default: ListPlaceholderView(placeholder)
          }
        }
        .navigationTitle("Issues")
        .activity(of: model)
        .running(model)
      }
    }
  }

  private struct IssueLine: View {
    let issue: Issue
    let sources: AppSources

    init(_ issue: Issue, _ sources: AppSources) { (self.issue, self.sources) = (issue, sources) }

    var body: some View {
      let row = IssueRow(issue, now: .now)
      MediaRow(
        picture: issue.avatar, title: row.title,
        details: ["\(row.number) by \(row.author), \(row.age)"], sources)
    }
  }
#endif
