import Curlew
import CurlewStore
import Domain
import HTTPTypes

/// An issue's texts with their version.
struct VersionedIssue: Entity, Codable {
  let repository: RepositoryName
  let number: Int
  var title, body: String
  let version: String?

  var id: String { "\(repository.id) \(number)" }
  var issue: Issue.Reference { Issue.Reference(repository, number) }
  var texts: IssueTexts { IssueTexts(title: title, body: body, version: version) }
}

/// Other texts of an issue.
struct EditIssue: ConditionalAction {
  static let name = "edit-issue"
  var base: VersionedIssue
  var title, body: String

  init(_ edit: IssueEdit) {
    base = VersionedIssue(
      repository: edit.issue.repository, number: edit.issue.number, title: edit.base.title,
      body: edit.base.body, version: edit.base.version)
    (title, body) = (edit.texts.title, edit.texts.body)
  }

  var change: IssueEdit {
    IssueEdit(base.issue, base: base.texts, texts: IssueTexts(title: title, body: body))
  }
  var entry: StoreEntry<VersionedIssue> { GitHub.texts(of: base.issue) }
  var request: Request<IssuePayload> {
    GitHub.edit(
      issue: base.number, of: base.repository, title: title, body: body, version: base.version)
  }
  var queue: String { "issue \(base.id)" }
  var repeats: ActionRepeats { .idempotent }

  func edit(_ edit: inout StoreEdit<IssuePayload>) {
    edit.update(VersionedIssue.self, base.id) { ($0.title, $0.body) = (title, body) }
    edit.invalidate(GitHub.repository(base.repository), andBelow: true)
  }

  /// Takes over a text that only the other user has changed.
  mutating func rebase(on newer: VersionedIssue) -> ActionOutcome? {
    guard let title = Self.merge(title, base.title, newer.title),
      let body = Self.merge(body, base.body, newer.body)
    else { return nil }
    (self.title, self.body) = (title, body)
    return title == newer.title && body == newer.body ? .done : .send
  }

  /// Returns `nil` if both users have changed a text, to different texts.
  private static func merge(_ mine: String, _ base: String, _ theirs: String) -> String? {
    if mine == base { return theirs }
    return theirs == base || theirs == mine ? mine : nil
  }
}

extension GitHub {
  /// The texts of an issue in the client's store.
  static func texts(of issue: Issue.Reference) -> StoreEntry<VersionedIssue> {
    StoreEntry(
      responseTo: GitHub.issue(issue.number, of: issue.repository), entities: .one(\.self)
    ) { response in
      VersionedIssue(
        repository: issue.repository, number: issue.number, title: response.value.title,
        body: response.value.body?.value ?? "", version: response.head.headerFields[.eTag])
    }
  }
}
