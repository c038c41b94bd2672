import Curlew
public import Domain
import Foundation

/// An issue to open.
public struct NewIssuePayload: Encodable, Sendable {
  let title: String
  let body: String?

  /// Describes a draft, without the white space around its texts.
  public init(_ draft: IssueDraft) {
    let text = { (field: IssueDraft.Field) in
      draft[field].trimmingCharacters(in: .whitespacesAndNewlines)
    }
    title = text(.title)
    body = text(.body).isEmpty ? nil : text(.body)
  }
}

/// The state to give to an issue.
struct IssueStatePayload: Encodable, Sendable {
  let state: String

  init(isOpen: Bool) { state = isOpen ? "open" : "closed" }
}

/// What GitHub says of a request that it refuses (422).
public struct ValidationPayload: Decodable, Sendable {
  struct Problem: Decodable, Sendable {
    let field: Lenient<String>?
    let code: Lenient<String>?
    let message: Lenient<String>?
  }

  let errors: Lenient<LossyList<Problem>>?

  /// A sentence for each field; empty when no field is named that the user can change.
  var problems: [IssueDraft.Field: String] {
    var problems: [IssueDraft.Field: String] = [:]
    for problem in errors?.value?.elements ?? [] {
      guard let field = problem.field?.value.flatMap({ IssueDraft.Field(rawValue: $0) }) else {
        continue
      }
      let name = field == .body ? "description" : field.rawValue
      let sentence =
        problem.message?.value.map { "GitHub says: \($0)." }
        ?? (problem.code?.value == "missing_field"
          ? "The \(name) is missing." : "GitHub does not take this \(name).")
      problems[field] = problems[field] ?? sentence
    }
    return problems
  }
}
