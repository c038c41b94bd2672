import Application
import CurlewLive
import CurlewScreens
import Domain

extension ScreenEntry {
  static let newIssue = ScreenEntry(
    name: "open", start: "/issues/new", parent: "issues",
    actions: "repository TEXT, title TEXT, body TEXT, create",
    command: OpenCommand.self,
    example: ("open apple/swift 'A title'", "a new issue (in the sandbox)"),
    page: { NewIssuePage(NewIssue(host: $0.host), isOffline: $0.isOffline) })
}

/// The page of the form for a new issue.
struct NewIssuePage: ShowcasePage {
  let screen: NewIssue
  let activity: ScreenActivity.Options

  var path: String { "/issues/new" }

  init(_ screen: NewIssue, isOffline: @escaping OfflineFlags = noOfflineFlags) {
    (self.screen, activity) = (screen, .init(isOffline: isOffline))
  }

  /// Returns events that set the fields in the query; other fields keep their texts.
  func events(for query: LiveQuery, in state: NewIssue.State) -> [NewIssue.Event] {
    IssueDraft.Field.allCases.compactMap { field in
      query[field.rawValue].map { .change(field, $0.asTyped(in: field)) }
    }
  }

  func event(for action: LiveAction) -> NewIssue.Event? {
    switch action.name {
    case "create":
      let texts = IssueDraft.Field.allCases.compactMap { field in
        action.fields[field.rawValue].map { (field, $0.asTyped(in: field)) }
      }
      return .send(Dictionary(uniqueKeysWithValues: texts), key: action.fields["key"])
    case "retry": return .submit
    default:
      return IssueDraft.Field(rawValue: action.name).map {
        .change($0, action.value.asTyped(in: $0))
      }
    }
  }

  /// The title and the description are not part of the address: only a reload would need them, and
  /// it is rare.
  func address(of state: NewIssue.State) -> LiveAddress {
    let repository = state.draft[.repository]
    return LiveAddress(["repository": repository.isEmpty ? nil : repository], isHistoryEntry: false)
  }

  func title(of state: NewIssue.State) -> String { "New issue" }

  /// The typed texts, which are not in the address, for a server that takes over.
  func savedState(of state: NewIssue.State) -> String? {
    let form = state
    let query: LiveQuery = [
      "key": form.key, "title": form.draft[.title], "body": form.draft[.body],
    ]
    return query.text
  }

  func events(
    restoring kept: String, in state: NewIssue.State
  ) -> [NewIssue.Event] {
    let query = LiveQuery(kept)
    let key = query["key"].map { [NewIssue.Event.restore(key: $0)] } ?? []
    return events(for: query, in: state) + key
  }

  func view(of state: NewIssue.State, _ activity: ScreenActivity) -> NewIssueView {
    let form = state
    let hint = "Optional. Markdown, at most \(IssueDraft.maximumBodyLength.grouped) characters."
    let count = IssueDraft.Field.allCases.count { form.problem(in: $0) != nil }
    let status =
      switch form.submission {
      case .loading: "Opening the issue…"
      case .content(let issue, _): "Issue #\(issue.number) is open in \(issue.repository)."
      case .failed: "Your text has been kept."
      case .idle where count == 0, .empty: ""
      case .idle: count == 1 ? "One field needs a change." : "\(count) fields need a change."
      }
    return NewIssueView(
      status: status,
      fields: [
        FieldView(
          .repository, of: form, label: "Repository", hint: "owner/name, such as apple/swift"),
        FieldView(.title, of: form, label: "Title", hint: "A short summary."),
        FieldView(.body, of: form, label: "Description", hint: hint),
      ], form: form,
      activity: ActivityView(
        activity, failure: form.submission.failure, isEmpty: false, retry: "#draft",
        failed: "The issue could not be opened"))
  }
}

struct NewIssueView: PageView {
  let status: String
  let fields: [FieldView]
  let form: NewIssue.State
  let activity: ActivityView
  private var isSubmitting: Bool { form.submission.isLoading }
  private var isFailed: Bool { form.submission.failure != nil }
  /// The message about the created issue.
  var done: String? {
    form.submission.latest.map { "Issue #\($0.number) is open in \($0.repository)." }
  }
  private var back: String { IssuesRoute(form.draft.repository).address }

  static let template = HTMLTemplate<Self>(PackageResources.newissue_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "fields": \.fields, "key": \.form.key,
    "rejectedSubmits": \.form.rejectedSubmits, "isSubmitting": \.isSubmitting,
    "isFailed": \.isFailed, "done": \.done,
    "back": \.back, "activity": \.activity,
  ]
}

extension IssueDraft.Field {
  /// The maximum number of characters in the browser's field; it exceeds the valid length, so that
  /// users can see the excess.
  var maximumTypedLength: Int {
    switch self {
    case .repository: 200
    case .title: 1_000
    case .body: 5_000
    }
  }
}

extension String {
  fileprivate func asTyped(in field: IssueDraft.Field) -> String {
    asTyped(most: field.maximumTypedLength, isLong: field == .body)
  }
}

struct FieldView: TemplateValues {
  let field: IssueDraft.Field
  let label, hint, text: String
  let problem: String?
  private var isLong: Bool { field == .body }
  private var isRequired: Bool { field != .body }

  static let names: TemplateNames<Self> = [
    "name": \.field.rawValue, "label": \.label, "hint": \.hint, "text": \.text,
    "problem": \.problem, "isLong": \.isLong, "isRequired": \.isRequired,
    "most": \.field.maximumTypedLength,
  ]

  init(_ field: IssueDraft.Field, of form: NewIssue.State, label: String, hint: String) {
    (self.field, self.label, self.hint) = (field, label, hint)
    (text, problem) = (form.draft[field], form.problem(in: field))
  }
}
