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
    let date: String
    let comments: String?
    let isPicked: Bool
    let isRead: Bool
  }

  struct Picked {
    let number: String
    let title: String
    let labels: [Issue.Label]
    let author: String?
    let age: String
    let date: String
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

  let text: String
  let term: String
  let status: String
  let invitation: String
  let activity: ActivityView
  let list: ListView
  let rows: [Row]
  let picked: Picked?
  /// What is there instead of a picked issue.
  let unpicked: String
  /// Whether somebody waits for an issue that is in no list.
  let isWanted: Bool
  let hasPanes: Bool
  /// Where one writes an issue for what is listed.
  let newIssue: String
  let examples = ["apple/swift", "moya/moya", "apple/cups"].map {
    Example(name: $0, query: IssuesPage.query($0).text)
  }

  var leftOut: LeftOut? { list.leftOut }
  var age: AgeView? { list.age }

  init(_ tracked: Tracked<IssueTracker>.State, path: String, now: Date) {
    let (state, search) = (tracked.content.shown, tracked.content.shown.search)
    let (feed, term) = (search.list, search.term ?? "")
    (text, self.term) = (search.text, term)
    status = feed.status(
      idle: search.hint ?? (search.query.isEmpty ? "" : "Waiting for you to finish…"),
      loading: "Looking for \(term)…", empty: "Nothing found for \(term).",
      failed: "The issues could not be loaded."
    ) { count in
      let name = feed.items.first.map { "\($0.repository)" } ?? ""
      if feed.next != nil { return "The newest \(count.grouped) open issues in \(name)" }
      return count == 1
        ? "1 open issue in \(name)" : "\(count.grouped) open issues in \(name), newest first"
    }
    invitation = search.hint ?? IssueTracker.hint
    list = ListView(
      feed, isBusy: tracked.activity.isVisible,
      age: AgeView(asOf: feed.asOf, isOffline: tracked.content.isOffline, now: now)
    ) { page in
      path + IssuesPage.query(term, page: page).text
    }
    newIssue = NewIssueRoute(feed.items.first?.repository).address
    activity = ActivityView(tracked.activity, of: feed, retry: list.retry)
    rows = feed.items.map { issue in
      Row(
        issue, path: path, now: now, isPicked: issue.number == state.selection,
        isRead: state.isRead(issue) && issue.number != state.selection)
    }
    picked = state.picked.map { issue in
      let row = IssueRow(issue, now: now)
      return Picked(
        number: row.number, title: row.title, labels: row.labels,
        author: row.author.isEmpty ? nil : row.author, age: row.age, date: row.date,
        comments: row.comments, avatar: issue.avatar?.imagePath, link: issue.link?.webAddress,
        body: Markdown.recentHTML(issue.body.isEmpty ? "No description." : issue.body).text,
        close: path + IssuesPage.query("\(issue.repository)").text)
    }
    let other = state.other
    let wanted = other.id.map { "#\($0.number)" } ?? ""
    unpicked =
      if let failure = other.content.failure {
        "Issue \(wanted) could not be loaded. \(failure.message)"
      } else if other.id == nil {
        "Choose an issue to read it here."
      } else if other.content.isLoading {
        "Loading issue \(wanted)…"
      } else {
        "There is no issue \(wanted)."
      }
    isWanted = other.id != nil
    hasPanes = list.hasRows || isWanted
  }
}

extension IssuesView.Row {
  /// The labels that a row shows: an issue may have a hundred, and the panel shows them all.
  private static let mostLabels = 10

  /// Describes an issue as of a moment.
  ///
  /// It leads to its own repository, whatever is being typed.
  init(_ issue: Issue, path: String, now: Date, isPicked: Bool, isRead: Bool) {
    let row = IssueRow(issue, now: now)
    let others = row.labels.count - Self.mostLabels
    self.init(
      key: "\(issue.repository) \(issue.number)",
      href: path + IssuesPage.query("\(issue.repository)", picked: issue.number).text,
      number: row.number, title: row.title, labels: Array(row.labels.prefix(Self.mostLabels)),
      moreLabels: others > 0 ? "+\(others)" : nil,
      author: row.author.isEmpty ? nil : row.author, age: row.age, date: row.date,
      comments: row.comments,
      isPicked: isPicked, isRead: isRead)
  }
}
