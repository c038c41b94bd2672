import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the issue tracker's template.
struct IssuesView: PageView {
  struct Row {
    /// `apple/swift 935`: tells it apart, and says what is picked.
    let key: String
    let href: String
    let number: String
    let title: String
    /// The first labels.
    let labels: [Issue.Label]
    /// `+3`, for the others.
    let moreLabels: String?
    let author: String?
    let age: String
    let comments: String?
    let isPicked: Bool
  }

  struct Picked {
    let number: String
    let title: String
    let labels: [Issue.Label]
    let author: String?
    let age: String
    let comments: String?
    let avatar: String?
    let link: String?
    /// Markup.
    let body: String
    let close: String
  }

  struct Example {
    let name: String
    let query: String
  }

  static let template = Template(PackageResources.issues_mustache)

  let search: SearchResultsView
  let status: String
  let invitation: String
  let activity: ActivityView
  let rows: [Row]
  let picked: Picked?
  let examples = ["apple/swift", "moya/moya", "apple/cups"].map {
    Example(name: $0, query: IssuesPage.query($0).text)
  }

  var leftOut: LeftOut? { search.leftOut }
  var age: AgeView? { search.age }

  init(_ tracked: Tracked<IssueTracker>.State, path: String, now: Date) {
    let (state, search) = (tracked.content.shown, tracked.content.shown.search)
    self.search = SearchResultsView(
      search, isBusy: tracked.activity.isVisible,
      age: AgeView(asOf: search.asOf, isOffline: tracked.content.isOffline, now: now))
    status = Self.status(of: search)
    invitation = search.hint ?? IssueTracker.hint
    activity = ActivityView(
      tracked.activity, failure: search.results.failure, isEmpty: search.items.isEmpty,
      retry: path + IssuesPage.query(search.term ?? "").text)
    rows = search.items.map { issue in
      Row(issue, path: path, now: now, isPicked: issue.number == state.selection)
    }
    picked = state.picked.map { issue in
      let row = IssueRow(issue, now: now)
      return Picked(
        number: row.number, title: row.title, labels: row.labels,
        author: row.author.isEmpty ? nil : row.author, age: row.age,
        comments: row.comments, avatar: issue.avatar?.imagePath, link: issue.link?.webAddress,
        body: Markdown.html(issue.body.isEmpty ? "No description." : issue.body).text,
        close: path + IssuesPage.query("\(issue.repository)").text)
    }
  }

  private static func status(of search: Search<Issue>.State) -> String {
    search.status(failed: "The issues could not be loaded.") { issues in
      let name = issues.first.map { "\($0.repository)" } ?? ""
      if search.isPartial { return "The newest \(issues.count) open issues in \(name)" }
      return issues.count == 1
        ? "1 open issue in \(name)" : "\(issues.count) open issues in \(name), newest first"
    }
  }
}

extension IssuesView.Row {
  /// The labels that a row shows: an issue may have a hundred, and the panel shows them all.
  private static let mostLabels = 10

  /// Describes an issue as of a moment.
  ///
  /// It leads to its own repository, whatever is being typed.
  init(_ issue: Issue, path: String, now: Date, isPicked: Bool) {
    let row = IssueRow(issue, now: now)
    let others = row.labels.count - Self.mostLabels
    self.init(
      key: "\(issue.repository) \(issue.number)",
      href: path + IssuesPage.query("\(issue.repository)", picked: issue.number).text,
      number: row.number, title: row.title, labels: Array(row.labels.prefix(Self.mostLabels)),
      moreLabels: others > 0 ? "+\(others)" : nil,
      author: row.author.isEmpty ? nil : row.author, age: row.age, comments: row.comments,
      isPicked: isPicked)
  }
}
