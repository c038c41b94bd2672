import Application
import CurlewLive
import Domain

/// The overview of the listed issues, shown while none is selected.
struct OverviewView: TemplateView {
  /// A label and the number of its issues.
  struct Count: TemplateValues {
    let label: Issue.Label
    let count: Int

    static let names: TemplateNames<Self> = [
      "name": \.label.name, "color": \.label.color, "count": \.count,
    ]
  }

  /// An issue with many comments.
  struct Discussed: TemplateValues {
    let key, href, title, comments: String

    static let names: TemplateNames<Self> = [
      "key": \.key, "href": \.href, "title": \.title, "comments": \.comments,
    ]
  }

  private static let maximumLabels = 4
  private static let maximumDiscussed = 2

  private let repository: String
  private let labels: [Count]
  private let discussed: [Discussed]

  static let template = HTMLTemplate<Self>(PackageResources.overview_mustache)
  static let names: TemplateNames<Self> = [
    "repository": \.repository, "labels": \.labels, "discussed": \.discussed,
    "hasLabels": \.hasLabels, "hasDiscussed": \.hasDiscussed,
  ]
  private var hasLabels: Bool { !labels.isEmpty }
  private var hasDiscussed: Bool { !discussed.isEmpty }

  /// Creates an overview of issues; returns `nil` if there are no issues.
  init?(_ issues: [Issue]) {
    guard let first = issues.first else { return nil }
    repository = "\(first.repository)"
    let counts = issues.flatMap(\.labels).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    labels = counts.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
      .prefix(Self.maximumLabels).map { Count(label: $0.key, count: $0.value) }
    discussed = issues.filter { $0.comments ?? 0 > 0 }
      .sorted { ($1.comments ?? 0, $1.number) < ($0.comments ?? 0, $0.number) }
      .prefix(Self.maximumDiscussed).map {
        Discussed(
          key: $0.key, href: IssuesRoute($0.repository, picked: $0.number).address,
          title: $0.title, comments: "#\($0.number) · " + (IssueRow.comments($0) ?? ""))
      }
  }
}
