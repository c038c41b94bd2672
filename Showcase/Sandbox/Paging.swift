/// One page of a list, as `page` and `per_page` ask for it.
struct Paging: Sendable {
  let page: Int
  let perPage: Int
  let total: Int

  /// Reads the query; what is no positive number falls back to page 1 and 30 items, 100 at most.
  init(_ query: Query, total: Int) {
    func positive(_ name: String) -> Int? {
      query[name].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    }
    page = positive("page") ?? 1
    perPage = min(positive("per_page") ?? 30, 100)
    self.total = total
  }

  var pages: Int { max(1, (total + perPage - 1) / perPage) }

  /// The items of this page; none past the end.
  var range: Range<Int> {
    guard page <= pages else { return total..<total }
    let start = (page - 1) * perPage
    return start..<min(start + perPage, total)
  }

  /// The `Link` header (RFC 8288) in the order in which GitHub writes it; nil for a single page.
  func link(to address: String, _ query: Query) -> String? {
    var links: [String] = []
    func add(_ relation: String, _ page: Int) {
      let text = query.replacing("page", with: String(page)).text
      links.append("<\(address)?\(text)>; rel=\"\(relation)\"")
    }
    if page > 1 { add("prev", min(page - 1, pages)) }
    if page < pages { add("next", page + 1) }
    if page < pages { add("last", pages) }
    if page > 1 { add("first", 1) }
    return links.isEmpty ? nil : links.joined(separator: ", ")
  }
}
