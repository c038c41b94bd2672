/// A page of a list.
struct Paging: Sendable {
  let page: Int
  let perPage: Int
  let total: Int

  var pages: Int { max(1, (total + perPage - 1) / perPage) }

  /// The indices of this page's items; empty past the end.
  var range: Range<Int> {
    guard page <= pages else { return total..<total }
    let start = (page - 1) * perPage
    return start..<min(start + perPage, total)
  }
}

extension Paging {
  /// Parses `page` and `per_page`; replaces invalid values by page 1 and 30 items; the maximum is
  /// 100 items.
  init(_ query: Query, total: Int) {
    func positive(_ name: String) -> Int? {
      query[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    self.init(
      page: positive("page") ?? 1, perPage: min(positive("per_page") ?? 30, 100), total: total)
  }

  /// Returns the `Link` field (RFC 8288) in GitHub's order; nil for a single page.
  func link(to address: String, _ query: Query) -> String? {
    var links: [(relation: String, page: Int)] = []
    if page > 1 { links.append(("prev", min(page - 1, pages))) }
    if page < pages { links += [("next", page + 1), ("last", pages)] }
    if page > 1 { links.append(("first", 1)) }
    return links.isEmpty
      ? nil
      : links.map { link in
        let text = query.replacing("page", with: String(link.page)).text
        return "<\(address)?\(text)>; rel=\"\(link.relation)\""
      }.joined(separator: ", ")
  }
}
