import CurlewJSON
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// The issue that only administrators can change: the second-newest open issue of its repository.
  static let guarded = (repository: "apple/cups", number: 22)

  /// Closes or reopens an issue; responds with 422 to an invalid field, whose name is in the
  /// response.
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
    if let other = members.keys.filter({ $0 != "state" }).min() {
      throw Self.invalid(other, "invalid", documentation: documentation)
    }
    guard let member = members["state"] else {
      throw Self.invalid("state", "missing_field", documentation: documentation)
    }
    guard case .string(let state) = member, state == "open" || state == "closed" else {
      throw Self.invalid("state", "invalid", documentation: documentation)
    }
    let changed = written.withLock {
      $0.change(issue, of: repository, isOpen: state == "open", at: request.now)
    }
    // Conditional requests are supported for GET only.
    return .json(changed.json(of: repository, home: request.home)).with(["ETag": nil])
  }
}
