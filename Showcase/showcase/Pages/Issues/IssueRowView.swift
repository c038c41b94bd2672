public import Application
public import CurlewLive
public import Domain
import Foundation

/// An issue in a list; it links to its own repository, even while the user types another name.
struct IssueRowView: TemplateView {
  /// The row's state apart from the issue.
  struct Marks: Equatable {
    let isPicked: Bool
    let isRead: Bool
    /// The state of changes that the host has not confirmed.
    let pending: String?
  }

  /// The unique key, which is also the value of the `pick` action.
  private let key: String
  private let href: String
  private let row: IssueRow
  private let marks: Marks

  static let template = HTMLTemplate<Self>(PackageResources.issuerow_mustache)
  static let names: TemplateNames<Self> = [
    "key": \.key, "href": \.href, "row": \.row, "isPicked": \.marks.isPicked,
    "isRead": \.marks.isRead, "pending": \.marks.pending,
  ]

  init(_ issue: Issue, _ marks: Marks, now: Date) {
    (key, self.marks, row) = (issue.key, marks, IssueRow(issue, now: now))
    href = IssuesRoute(issue.repository, picked: issue.number).address
  }
}

/// The panel with the selected issue.
struct PickedIssueView: TemplateView {
  /// An issue, with its state and the possible changes.
  struct Picked: Equatable {
    let issue: Issue
    let isOpen: Bool
    let canChange: Bool
    /// The comments; `nil` if the user can't add any.
    let discussion: DiscussionView.Content?

    /// Creates the selected issue; returns `nil` if none is selected.
    init?(_ state: IssueTracker.State) {
      guard let issue = state.picked else { return nil }
      (self.issue, isOpen, canChange) = (issue, state.isOpen(issue), state.canChange)
      discussion = DiscussionView.Content(state)
    }

    /// Whether the issue's texts can be changed.
    var canEdit: Bool { canChange && discussion?.canEdit ?? false }

    /// The button that closes or reopens the issue; `nil` if that is not possible.
    var change: Change? { canChange ? Change(key: issue.key, isOpen: isOpen) : nil }
  }

  /// A button that closes or reopens the issue.
  struct Change: TemplateValues {
    let key: String
    let isOpen: Bool
    var action: String { isOpen ? "close-issue" : "reopen-issue" }
    var title: String { isOpen ? "Close issue" : "Reopen issue" }

    static let names: TemplateNames<Self> = [
      "action": \.action, "key": \.key, "title": \.title,
    ]
  }

  private let picked: Picked
  private let row: IssueRow
  private var issue: Issue { picked.issue }
  private var link: String? { issue.link?.webAddress }
  private var close: String { IssuesRoute(issue.repository).address }
  private var body: HTML {
    Markdown.recentHTML(issue.body.isEmpty ? "No description." : issue.body)
  }
  private var change: Change? { picked.change }
  private var stylesheet: String { PageLayout.markdownStyles.path }
  private var discussion: DiscussionView?
  private var edit: EditView? { picked.discussion?.edit.map { EditView($0) } }
  private var canEdit: Bool { picked.canEdit && picked.discussion?.edit == nil }

  static let template = HTMLTemplate<Self>(PackageResources.issuepanel_mustache)
  static let names: TemplateNames<Self> = [
    "row": \.row, "link": \.link, "close": \.close, "body": \.body,
    "isOpen": \.picked.isOpen, "change": \.change, "stylesheet": \.stylesheet,
    "discussion": \.discussion, "edit": \.edit, "canEdit": \.canEdit,
    "pending": \.picked.discussion?.pending,
  ]

  init(_ picked: Picked, now: Date) {
    (self.picked, row) = (picked, IssueRow(picked.issue, now: now))
    discussion = picked.discussion.map { DiscussionView($0, now: now) }
  }
}

extension Issue {
  /// The key of the issue in a list, such as `apple/swift 12`.
  var key: String { "\(repository) \(number)" }
}

extension IssueRow: TemplateValues {
  /// The number of labels in a row; an issue may have a hundred, which only the panel
  /// shows.
  private static let maximumLabels = 2
  private static let tints = 6

  private var firstLabels: [Issue.Label] { Array(labels.prefix(Self.maximumLabels)) }
  private var moreLabels: String? {
    labels.count > Self.maximumLabels ? "+\(labels.count - Self.maximumLabels)" : nil
  }
  private var knownAuthor: String? { author.isEmpty ? nil : author }
  /// The author's initial on a coloured disc, whose colour depends on the name; an image would need
  /// a request.
  private var initial: String { author.prefix(1).uppercased() }
  private var tint: Int { author.utf8.reduce(0) { ($0 + Int($1)) % Self.tints } }

  /// The names in templates.
  public static let names: TemplateNames<Self> = [
    "number": \.number, "title": \.title, "labels": \.labels, "firstLabels": \.firstLabels,
    "moreLabels": \.moreLabels, "author": \.knownAuthor, "age": \.age, "date": \.date,
    "comments": \.comments, "initial": \.initial, "tint": \.tint,
  ]
}

extension Issue.Label: TemplateValues {
  /// The names in templates.
  public static let names: TemplateNames<Self> = ["name": \.name, "color": \.color]
}
