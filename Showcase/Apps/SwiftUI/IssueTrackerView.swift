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
          Button {
            model.send(.pick(issue.number))
          } label: {
            IssueLine(
              model.state.edited(issue), model.pending.text(of: issue.reference), sources)
          }
        } placeholder: { placeholder in
          switch placeholder {
          case .initial: ContentUnavailableView(IssueTracker.hint, systemImage: "ladybug")
          case .empty(let name):
            ContentUnavailableView("No open issues in \(name)", systemImage: "ladybug")
          default: ListPlaceholderView(placeholder)
          }
        }
        .navigationTitle("Issues")
        .sheet(isPresented: model.binding(\.isPicking) { _ in .close }) { IssueView(model: model) }
        .activity(of: model)
        .running(model)
      }
    }
  }

  private struct IssueLine: View {
    let issue: Issue
    /// The state of changes that the host has not confirmed.
    let pending: String?
    let sources: AppSources

    init(_ issue: Issue, _ pending: String?, _ sources: AppSources) {
      (self.issue, self.pending, self.sources) = (issue, pending, sources)
    }

    var body: some View {
      let row = IssueRow(issue, now: .now)
      MediaRow(
        picture: issue.avatar, title: row.title,
        details: ["\(row.number) by \(row.author), \(row.age)", pending], sources)
    }
  }
#endif
