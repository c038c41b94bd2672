import Application
import CurlewScreens
import Domain

/// The texts and switches of the template of the form for a new issue.
struct NewIssueView: PageView {
  struct Field {
    let name: String
    let label: String
    let hint: String
    let text: String
    /// What is wrong.
    let problem: String?
    let isLong: Bool
    let isRequired: Bool
    /// The most characters that a browser lets one type.
    let most: Int
  }

  static let template = Template(PackageResources.newissue_mustache)

  let fields: [Field]
  let key: String
  let refusals: Int
  let isSubmitting: Bool
  /// What became of it.
  let done: String?
  let back: String
  let status: String
  let activity: ActivityView

  init(_ tracked: Tracked<NewIssue>.State) {
    let form = tracked.content.shown
    fields = [
      Field(
        .repository, of: form, label: "Repository", hint: "owner/name, such as apple/swift"),
      Field(.title, of: form, label: "Title", hint: "What is wrong, or missing?"),
      Field(
        .body, of: form, label: "Description",
        hint: "Optional. Markdown, at most \(IssueDraft.longestBody.grouped) characters."),
    ]
    key = form.key
    refusals = form.refusals
    isSubmitting = form.isSubmitting
    back = IssuesRoute(form.draft.repository).address
    done = form.value.map { "Issue #\($0.number) is open in \($0.repository)." }
    let count = IssueDraft.Field.allCases.count { form.problem(in: $0) != nil }
    status =
      switch form.phase {
      case .submitting: "Opening the issue…"
      case .submitted(let issue): "Issue #\(issue.number) is open in \(issue.repository)."
      case .failed: "The issue could not be opened. What you wrote is still here."
      case .editing where count == 0: ""
      case .editing: count == 1 ? "One field needs a change." : "\(count) fields need a change."
      }
    activity = ActivityView(
      tracked.activity, failure: form.failure, isEmpty: false, retry: "#draft")
  }
}

extension NewIssueView.Field {
  fileprivate init(
    _ field: IssueDraft.Field, of form: NewIssue.State, label: String, hint: String
  ) {
    self.init(
      name: field.rawValue, label: label, hint: hint, text: form.text(of: field),
      problem: form.problem(in: field), isLong: field == .body, isRequired: field != .body,
      most: field.mostTyped)
  }
}
