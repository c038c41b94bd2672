import Curlew
public import Domain
import Foundation

/// The JSON representation of a new issue.
public struct NewIssuePayload: Encodable, Sendable {
  let title: String
  let body: String?

  /// Creates a payload from a draft; trims the white space around its texts.
  public init(_ draft: IssueDraft) {
    let text = { (field: IssueDraft.Field) in
      draft[field].trimmingCharacters(in: .whitespacesAndNewlines)
    }
    title = text(.title)
    body = text(.body).isEmpty ? nil : text(.body)
  }
}

/// The JSON representation of an issue's new state.
struct IssueStatePayload: Encodable, Sendable {
  let state: String

  init(isOpen: Bool) { state = isOpen ? "open" : "closed" }
}

/// The body of GitHub's response to an invalid request (422).
public struct ValidationPayload: Decodable, Sendable {
  struct Problem: Decodable, Sendable {
    let field: Lenient<String>?
    let code: Lenient<String>?
    let message: Lenient<String>?
  }

  let errors: Lenient<LossyList<Problem>>?

  /// A sentence for each invalid field; empty if no reported field can be changed by the user.
  var problems: [IssueDraft.Field: String] {
    var problems: [IssueDraft.Field: String] = [:]
    for problem in errors?.value?.elements ?? [] {
      guard let field = problem.field?.value.flatMap({ IssueDraft.Field(rawValue: $0) }) else {
        continue
      }
      let name = field == .body ? "description" : field.rawValue
      let sentence =
        problem.message?.value.map { "GitHub reports: \($0)." }
        ?? (problem.code?.value == "missing_field"
          ? "The \(name) is missing." : "GitHub rejected this \(name).")
      problems[field] = problems[field] ?? sentence
    }
    return problems
  }
}
