import CurlewJSON
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// The issue that only administrators can change: the second-newest open issue of its repository.
  static let guarded = (repository: "apple/cups", number: 22)

  /// Closes or reopens an issue, or changes its title or description; responds with 422 to an invalid field, whose name
  /// is in the response, and with 412 to a version in `If-Match` that is not the current one (RFC 9110, 13.1.1).
  ///
  /// Other changes are not supported. The change lasts until the sandbox stops.
  func changeIssue(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = "/rest/issues/issues#update-an-issue"
    let (issue, repository) = try foundIssue(request, documentation)
    let isGuarded =
      repository.fullName == Self.guarded.repository && issue.number == Self.guarded.number
    if isGuarded || request.user?.isReader ?? false {
      throw Self.error(.forbidden, "Must have admin rights to Repository.", documentation)
    }
    guard
      let members = try? FastJSONDecoder().decode([String: JSON].self, from: request.body)
    else {
      throw Self.error(.badRequest, "Problems parsing JSON", documentation)
    }
    guard !members.isEmpty else {
      throw Self.invalid("state", "missing_field", documentation: documentation)
    }
    if let invalid = members.filter({ !Self.isValid($0.value, for: $0.key) }).keys.min() {
      throw Self.invalid(invalid, "invalid", documentation: documentation)
    }
    let isOpen = members["state"].map { $0.text == "open" }
    let tags = request.headers[.ifMatch]
    let changed = written.withLock { written in
      written.change(
        issue, of: repository, isOpen: isOpen, title: members["title"]?.text, body: members["body"],
        at: request.now
      ) { current in
        guard let tags else { return true }
        let version = version(of: current, repository, request)
        return tags.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
          .contains { $0 == "*" || $0 == version }
      }
    }
    guard let changed else {
      throw Self.error(.preconditionFailed, "The issue has been changed.", documentation)
    }
    // Conditional requests for a response are supported for GET only.
    return .json(changed.json(of: repository, home: request.home)).with(["ETag": nil])
  }

  /// Returns the strong entity tag of an issue: only a strong one matches `If-Match`.
  func version(of issue: Issue, _ repository: Repository, _ request: SiteRequest) -> String {
    let json = issue.json(of: repository, home: request.home)
    return "\"\(String(json.encoded.stableHash, radix: 16))\""
  }

  private static func isValid(_ value: JSON, for member: String) -> Bool {
    switch (member, value) {
    case ("state", .string("open")), ("state", .string("closed")), ("body", .null): true
    case ("title", .string(let text)):
      text.contains { !$0.isWhitespace } && text.count <= maximumTitleLength
    case ("body", .string(let text)): text.count <= maximumBodyLength
    default: false
    }
  }
}

extension JSON {
  /// The text; `nil` for another value.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
