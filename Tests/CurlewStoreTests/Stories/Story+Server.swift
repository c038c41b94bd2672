import HTTPTypes
import TestSupport

/// The server's responses.
extension Story {
  /// Creates a server response without delivering it.
  mutating func respond(always: Bool = false, succeeds: Bool = false) {
    guard let call = server.calls.filter({ $0.response == nil }).randomElement(using: &random)
    else {
      return
    }
    let fails = !succeeds && random.chance(oneIn: always ? 10 : 6)
    if fails, random.chance(oneIn: 2) {
      log.append("\(call.method) \(call.path) fails")
      return server.respond(call.id, random.pick([500, 409, 404]))
    }
    let account = String(call.path.dropFirst().prefix(1))
    if call.method == "GET" {
      respond(toRead: call, account)
    } else {
      respond(toWrite: call, account)
    }
  }

  mutating func respond(toRead call: StoryServer.Call, _ account: String) {
    guard let entry = StoryEntry.all.first(where: { $0.path == call.path }) else { return }
    guard let values = values(entry) else { return server.respond(call.id, 404) }
    log.append("GET \(call.path) of \(call.time) reads \(values.map(Self.text))")
    read[call.id] = values
    let body = json(entry, values)
    let tag = "\"\(StableTag.of(body))\""
    var fields: HTTPFields = [.eTag: tag, .contentType: "application/json"]
    if call.condition == tag {
      fields[.cacheControl] = "max-age=\(random.pick([0, 5]))"
      return server.respond(call.id, 304, fields)
    }
    fields[.cacheControl] = random.pick(["max-age=0", "max-age=5", "max-age=5", "no-store"])
    server.respond(call.id, 200, fields, body)
  }

  mutating func respond(toWrite call: StoryServer.Call, _ account: String) {
    guard let number = Int(call.path.split(separator: "/").last ?? ""),
      let write = writes[number]?.write
    else { return }
    var book: StoryBook?
    switch write.change {
    case .remove(let id): shelves[account]?.removeAll { $0.id == id }
    case .insert(let row, let index, let id):
      book = shelves[account]?.first { $0.id == id }
      if book == nil {
        let new = StoryBook(id: id, title: row.title, stars: 0, note: 0)
        let count = shelves[account]?.count ?? 0
        shelves[account]?.insert(new, at: min(index, count))
        book = new
      }
    default:
      guard let index = shelves[account]?.firstIndex(where: { $0.id == write.id }) else {
        log.append("PUT \(number) finds nothing")
        return server.respond(call.id, 404)
      }
      switch write.change {
      case .star(_, let value): shelves[account]![index].stars = value
      // The server limits the value.
      case .note(_, let value): shelves[account]![index].note = min(value, 60)
      case .title(_, let value), .rowTitle(_, let value): shelves[account]![index].title = value
      case .remove, .takeOut, .insert: break
      }
      book = shelves[account]![index]
    }
    written[call.id] = .some(write.storesResponse ? book : nil)
    log.append("PUT \(number) is done: \(book?.text ?? "")")
    let body = book.map { json($0) } ?? ""
    server.respond(call.id, body.isEmpty ? 204 : 200, [.contentType: "application/json"], body)
  }

  func values(_ entry: StoryEntry) -> [StoryModel.Value]? {
    let books = shelves[entry.account] ?? []
    switch entry.kind {
    case .book(let id): return books.first { $0.id == id }.map { [.whole($0)] }
    case .all: return books.map { .whole($0) }
    case .rows: return books.map { .row(StoryRow($0)) }
    }
  }

  func texts(_ entry: StoryEntry) -> String? {
    values(entry).map { $0.map(Self.text).joined(separator: " ") }
  }

  static func text(_ value: StoryModel.Value) -> String {
    switch value {
    case .whole(let book): book.text
    case .row(let row): row.text
    }
  }

  func json(_ entry: StoryEntry, _ values: [StoryModel.Value]) -> String {
    let items = values.map { value in
      switch value {
      case .whole(let book): json(book)
      case .row(let row): #"{"id":\#(row.id),"title":\#(row.title)}"#
      }
    }
    if case .book = entry.kind { return items.first ?? "" }
    return "[\(items.joined(separator: ","))]"
  }

  func json(_ book: StoryBook) -> String {
    #"{"id":\#(book.id),"title":\#(book.title),"stars":\#(book.stars),"note":\#(book.note)}"#
  }
}

private enum StableTag {
  static func of(_ text: String) -> String {
    String(
      text.utf8.reduce(UInt64(14_695_981_039_346_656_037)) {
        ($0 ^ UInt64($1)) &* 1_099_511_628_211
      }, radix: 16)
  }
}
