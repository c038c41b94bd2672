import Foundation
import HTTPTypes
import NIOCore

extension GitHub {
  /// The results that a search gives out, however many it counted.
  static let searchCap = 1_000

  /// Searches the repositories by words and qualifiers, those with the most stars first.
  func search(_ inquiry: Inquiry) -> Answer {
    let query = inquiry.query
    guard let text = query["q"], text.contains(where: { !$0.isWhitespace }) else {
      return .withoutTerm
    }
    guard text.count <= 256 else { return .longTerm }
    let found = Self.sorted(SearchIndex.shared.repositories(matching: SearchTerm(text)), query)
    let paging = Paging(query, total: min(found.count, Self.searchCap))
    // A last page that the cap cuts short is still a page; only what starts behind it is refused.
    guard paging.page - 1 < (Self.searchCap + paging.perPage - 1) / paging.perPage else {
      return .beyondResults
    }
    var items = found[paging.range]
    if inquiry.options.incompleteResults { items = items.prefix((items.count + 1) / 2) }
    var members: [(String, JSON)] = [
      ("total_count", .int(found.count)),
      ("incomplete_results", .bool(inquiry.options.incompleteResults)),
      ("items", .array(items.map { $0.found(anchor: anchor, home: inquiry.home) })),
    ]
    // What only finds hard data is hard itself: the member is optional.
    if !found.isEmpty, found.allSatisfy({ $0.owner.login == RealData.owner }) {
      members.remove(at: 1)
    }
    let bytes = JSON.object(members).bytes
    var answer = Answer.json(.init(bytes: bytes)).tagged(Fingerprint(bytes))
    answer.headers[.link] = paging.link(to: "\(inquiry.base)/search/repositories", query)
    answer.headers[.cacheControl] = "no-cache"
    answer.headers[.vary] = "Accept"
    return answer
  }

  /// Sorts what was found; it comes with the most stars, and so the most forks, first.
  private static func sorted(_ found: [Repository], _ query: Query) -> [Repository] {
    let isRising = query["order"] == "asc" && query["sort"] != nil
    guard query["sort"] == "updated" else { return isRising ? found.reversed() : found }
    let newest = found.sorted { ($0.idleHours, $0.id) < ($1.idleHours, $1.id) }
    return isRising ? newest.reversed() : newest
  }
}

extension HTTPField.Name {
  static let link = Self("Link")!
}
