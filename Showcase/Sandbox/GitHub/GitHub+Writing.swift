import CurlewJSON
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// The content of a request that opens an issue.
  private struct Draft: Decodable {
    let title: String?
    let body: String?
  }

  private static let documentation = "/rest/issues/issues#create-an-issue"
  /// GitHub's limits, in characters.
  static let (maximumTitleLength, maximumBodyLength) = (256, 65_536)
  /// The author of what those who have not signed in write.
  static let author = Account(login: "you", id: 900_800_001, type: .user)

  /// Opens an issue; responds with 422 to an invalid field, whose name is in the response.
  ///
  /// The issue becomes the newest of its repository, and exists until the sandbox stops. A request
  /// with a known `Idempotency-Key` returns the issue of the first request.
  func openIssue(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request, Self.documentation)
    guard let draft = try? FastJSONDecoder().decode(Draft.self, from: request.body) else {
      throw Self.error(.badRequest, "Problems parsing JSON", Self.documentation)
    }
    let title = (draft.title ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else { throw Self.invalid("title", "missing_field") }
    for (field, text, most) in [
      ("title", title, Self.maximumTitleLength), ("body", draft.body ?? "", Self.maximumBodyLength),
    ] where text.count > most {
      throw Self.invalid(
        field, "custom", "\(field) is too long (maximum is \(most) characters)")
    }
    let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] }
    let issue = written.withLock { written in
      // The numbers of generated and watched issues are below this number.
      let number =
        (repository.open + repository.closed) * 3 + OpenedIssues.most + written[repository].count
        + 1
      let issue = Issue(
        number: number, title: title, author: request.user?.account ?? Self.author,
        created: request.now, body: draft.body)
      return written.add(issue, to: repository, key: key)
    }
    guard let issue else {
      throw Self.invalid(
        "title", "custom", "this form was sent before with other values; submit it again")
    }
    let path = "\(request.base)/repos/\(repository.fullName)/issues/\(issue.number)"
    return .json(issue.json(of: repository, home: request.home), status: .created)
      .with(["Location": path])
  }

  /// Creates a 422 response that names a field of an issue.
  ///
  /// - Parameter link: The documentation's path; `nil` for the documentation of opening an issue.
  static func invalid(
    _ field: String, _ code: String, _ message: String? = nil, documentation link: String? = nil
  ) -> Response {
    var error: [String: JSON] = [
      "resource": "Issue", "code": .string(code), "field": .string(field),
    ]
    error["message"] = message.map { .string($0) }
    return Self.error(
      .unprocessableContent, "Validation Failed", link ?? documentation, error: error)
  }
}
