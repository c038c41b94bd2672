import Application
import CurlewScreens
import Domain

extension Template {
  fileprivate static let newIssue = Template(PackageResources.newissue_mustache)
}

extension NewIssuePage {
  func view(of tracked: Tracked<NewIssue>.State) -> PageView {
    let form = tracked.content.displayed
    let hint = "Optional. Markdown, at most \(IssueDraft.longestBody.grouped) characters."
    let count = IssueDraft.Field.allCases.count { form.problem(in: $0) != nil }
    let status =
      switch form.submission.phase {
      case .loading: "Opening the issue…"
      case .content(let issue): "Issue #\(issue.number) is open in \(issue.repository)."
      case .failed: "The issue could not be opened. What you wrote is still here."
      case .idle where count == 0, .empty: ""
      case .idle: count == 1 ? "One field needs a change." : "\(count) fields need a change."
      }
    return PageView(
      .newIssue, status: status,
      [
        "fields": [
          Values(
            .repository, of: form, label: "Repository", hint: "owner/name, such as apple/swift"),
          Values(.title, of: form, label: "Title", hint: "What is wrong, or missing?"),
          Values(.body, of: form, label: "Description", hint: hint),
        ],
        "key": form.key, "rejectedSubmits": form.rejectedSubmits,
        "isSubmitting": form.submission.isLoading,
        // What became of it.
        "done": form.submission.latest.map { "Issue #\($0.number) is open in \($0.repository)." },
        "back": IssuesRoute(form.draft.repository).address,
        "activity": Values.activity(
          tracked.activity, failure: form.submission.failure, isEmpty: false, retry: "#draft"),
      ])
  }
}

extension Values {
  fileprivate init(
    _ field: IssueDraft.Field, of form: NewIssue.State, label: String, hint: String
  ) {
    self = [
      "name": field.rawValue, "label": label, "hint": hint, "text": form.draft[field],
      "problem": form.problem(in: field), "isLong": field == .body,
      "isRequired": field != .body, "most": field.mostTyped,
    ]
  }
}
