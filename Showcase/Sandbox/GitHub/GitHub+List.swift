import HTTPTypes
import NIOCore

extension GitHub {
  fileprivate enum Filter: String { case open, closed, all }
  private enum Order: String { case created, updated, comments }
  private enum Direction: String { case asc, desc }

  /// Lists a repository's issues; a choice that does not exist is a 422 that names the field.
  func list(_ inquiry: Inquiry, of repository: Repository) -> Answer {
    let query = inquiry.query
    guard let filter = Filter(rawValue: query["state"] ?? "open") else { return .invalid("state") }
    guard let order = Order(rawValue: query["sort"] ?? "created") else { return .invalid("sort") }
    guard let direction = Direction(rawValue: query["direction"] ?? "desc") else {
      return .invalid("direction")
    }
    let shelf = shelf(of: repository, home: inquiry.home)
    let entries = sorted(shelf.entries.filter { $0.issue.has(filter) }, order, direction)
    let paging = Paging(query, total: entries.count)
    var answer = Self.answer(entries[paging.range])
    // GitHub's links use the number, which outlives a renaming.
    answer.headers[.link] = paging.link(
      to: "\(inquiry.base)/repositories/\(repository.id)/issues", query)
    return answer
  }

  private func sorted(
    _ entries: [Shelf.Entry], _ order: Order, _ direction: Direction
  ) -> [Shelf.Entry] {
    // The shelf is newest first, so that equal keys keep the newest first.
    let newest = direction == .desc
    func by<Key: Comparable>(_ key: (Issue) -> Key) -> [Shelf.Entry] {
      entries.sorted {
        let (left, right) = (key($0.issue), key($1.issue))
        return newest ? left > right : left < right
      }
    }
    switch order {
    case .created: return newest ? entries : entries.reversed()
    case .updated: return by(\.updated)
    case .comments: return by(\.comments)
    }
  }

  private static func answer(_ entries: ArraySlice<Shelf.Entry>) -> Answer {
    var body = ByteBuffer()
    body.reserveCapacity(entries.reduce(2) { $0 + $1.bytes.count + 1 })
    var fingerprint = Fingerprint()
    for entry in entries {
      body.writeString(body.readableBytes == 0 ? "[" : ",")
      body.writeBytes(entry.bytes)
      fingerprint.combine(entry.fingerprint)
    }
    body.writeString(entries.isEmpty ? "[]" : "]")
    return .json(body).tagged(fingerprint)
  }
}

extension Issue {
  fileprivate func has(_ filter: GitHub.Filter) -> Bool {
    switch filter {
    case .open: closed == nil
    case .closed: closed != nil
    case .all: true
    }
  }
}
