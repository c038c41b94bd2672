/// A simple model of the expected values: it keeps all events, and neither merges nor discards any early.
struct StoryModel {
  enum Value {
    case whole(StoryBook)
    case row(StoryRow)

    var id: Int {
      switch self {
      case .whole(let book): book.id
      case .row(let row): row.id
      }
    }
  }

  struct Layer {
    let write: Int
    let time: Int
    let change: StoryWrite.Change
    var settled: Int?
    /// The time of the write's request, if its response is stored and differs from the edit.
    var response: Int?
  }

  struct Book {
    /// The server's known values, and the times of their requests.
    var facts: [(time: Int, value: Value)] = []
    var layers: [Layer] = []
    var lastSettled = -1
  }

  struct Entry {
    var time: Int
    var members: [Value]
  }

  struct Insertion {
    let write: Int
    let time: Int
    var id: Int
    /// `nil` for a removal.
    let index: Int?
    var settled: Int?
  }

  struct Shape {
    var whole: StoryBook?
    var row: StoryRow?
    var isRemoved = false

    mutating func apply(_ change: StoryWrite.Change) {
      switch change {
      case .star(_, let value): whole?.stars = value
      case .note(_, let value): whole?.note = value
      case .title(_, let value): whole?.title = value
      case .rowTitle(_, let value):
        if whole != nil { whole?.title = value } else { row?.title = value }
      case .remove: self = Shape(isRemoved: true)
      case .takeOut: break
      case .insert(let new, _, _):
        if whole == nil, row == nil { (row, isRemoved) = (new, false) }
      }
    }

    mutating func apply(_ value: Value) {
      isRemoved = false
      switch value {
      case .whole(let book): (whole, row) = (book, nil)
      case .row(let new):
        if whole != nil { whole?.title = new.title } else { row = new }
      }
    }

    var asRow: StoryRow? { whole.map { StoryRow($0) } ?? row }
  }

  struct Key: Hashable {
    let account: String
    let id: Int
  }

  var books: [Key: Book] = [:]
  var entries: [StoryEntry: Entry] = [:]
  var insertions: [String: [Insertion]] = [:]
  /// The unsettled writes, by number.
  var writes: [Int: StoryWrite] = [:]

  // MARK: Expected values

  func shape(_ key: Key) -> Shape {
    guard let book = books[key] else { return Shape() }
    var shape = Shape()
    let newest = book.facts.map(\.time).max() ?? -1
    let isDone = { (layer: Layer) in layer.settled.map { $0 < newest } ?? false }
    let done = book.layers.filter(isDone).sorted { $0.time < $1.time }
    // First the server's values and performed edits, in the server's order, then the edits that may be pending, in
    // event order.
    var facts = book.facts.sorted { $0.time < $1.time }[...]
    var last = -1
    while let fact = facts.popFirst() {
      for layer in done
      where (last..<fact.time).contains(layer.settled!) && layer.response != last {
        shape.apply(layer.change)
      }
      shape.apply(fact.value)
      last = fact.time
    }
    for layer in book.layers.sorted(by: { $0.time < $1.time })
    where !isDone(layer) && layer.response != newest {
      shape.apply(layer.change)
    }
    return shape
  }

  func text(_ entry: StoryEntry) -> String? {
    guard let known = entries[entry] else { return nil }
    func key(_ id: Int) -> Key { Key(account: entry.account, id: id) }
    switch entry.kind {
    case .book(let id): return shape(key(id)).whole?.text
    case .all:
      return known.members.compactMap { shape(key($0.id)).whole?.text }.joined(separator: " ")
    case .rows:
      var rows = known.members.compactMap { shape(key($0.id)).asRow }
      for insertion in insertions[entry.account] ?? []
      where insertion.settled.map({ $0 > known.time }) ?? true {
        guard let row = shape(key(insertion.id)).asRow else { continue }
        let isThere = rows.contains { $0.id == row.id }
        if let index = insertion.index {
          if !isThere { rows.insert(row, at: min(index, rows.count)) }
        } else {
          rows.removeAll { $0.id == row.id }
        }
      }
      return rows.map(\.text).joined(separator: " ")
    }
  }

  // MARK: Events

  mutating func arrive(_ entry: StoryEntry, _ members: [Value], at time: Int) {
    guard entries[entry].map({ time >= $0.time }) ?? true else { return }
    entries[entry] = Entry(time: time, members: members)
    for member in members { arrive(member, of: entry.account, at: time) }
    forget()
  }

  /// - Parameter write: The write whose response contains the value, which is as of the write's sending.
  mutating func arrive(_ value: Value, of account: String, at time: Int, from write: Int? = nil) {
    let key = Key(account: account, id: value.id)
    let known = knownShape(key)
    let isKnown =
      switch value {
      case .whole: known.whole != nil || known.isRemoved
      case .row: known.whole != nil || known.row != nil || known.isRemoved
      }
    let book = books[key, default: Book()]
    let newest = book.facts.map(\.time).max() ?? -1
    // A response requested before an edit settled may have been created before the edit. The response to a write is
    // beneath that edit, unless a newer value is above the edit.
    let isOld =
      write == nil
      ? time < book.lastSettled
      : book.layers.contains { layer in
        layer.settled.map { time <= $0 && $0 < newest } ?? false
      }
    if isKnown, isOld { return }
    books[key, default: Book()].facts.append((time, value))
    guard time > newest else { return }
    for (index, layer) in book.layers.enumerated() where layer.write == write {
      var shape = Shape()
      shape.apply(value)
      let former = shape.whole
      shape.apply(layer.change)
      if shape.whole != former { books[key]?.layers[index].response = time }
    }
  }

  /// Returns the known state of a book without pending edits.
  private func knownShape(_ key: Key) -> Shape {
    var copy = self
    copy.books[key]?.layers.removeAll { $0.settled == nil }
    return copy.shape(key)
  }

  mutating func begin(_ number: Int, _ write: StoryWrite, at time: Int) {
    writes[number] = write
    let key = Key(account: write.account, id: write.id)
    // An insertion edits the book, too, only if the book is unknown.
    let isOfBook =
      switch write.change {
      case .takeOut: false
      case .insert: shape(key).asRow == nil
      default: true
      }
    if isOfBook {
      books[key, default: Book()].layers.append(
        Layer(write: number, time: time, change: write.change))
    }
    let insertion: Insertion? =
      switch write.change {
      case .insert(_, let index, _):
        Insertion(write: number, time: time, id: write.id, index: index)
      case .takeOut(let id): Insertion(write: number, time: time, id: id, index: nil)
      default: nil
      }
    if let insertion { insertions[write.account, default: []].append(insertion) }
  }

  /// Returns the paths of the entries that a write edited.
  func paths(editedBy number: Int) -> [String] {
    guard let write = writes[number] else { return [] }
    let isOfBook =
      books[Key(account: write.account, id: write.id)]?.layers
      .contains { $0.write == number } ?? false
    let edited = entries.filter { entry, value in
      isOfBook && entry.account == write.account
        && value.members.contains { $0.id == write.id }
    }
    let isOfList = insertions[write.account]?.contains { $0.write == number } ?? false
    return edited.keys.map(\.path) + (isOfList ? ["/\(write.account)/rows"] : [])
  }

  /// - Parameters:
  ///   - response: The book in the response, if it is stored.
  ///   - sent: The time at which the request was sent.
  mutating func settle(_ number: Int, with response: StoryBook?, at time: Int, sent: Int) {
    guard let write = writes.removeValue(forKey: number) else { return }
    let key = Key(account: write.account, id: write.id)
    if let response {
      let own = Key(account: write.account, id: response.id)
      arrive(.whole(response), of: write.account, at: sent, from: number)
      books[own, default: Book()].lastSettled = time
      if case .insert = write.change { books[key]?.layers.removeAll { $0.write == number } }
    }
    if let index = books[key]?.layers.firstIndex(where: { $0.write == number }) {
      books[key]?.layers[index].settled = time
      books[key]?.lastSettled = time
    }
    if let index = insertions[write.account]?.firstIndex(where: { $0.write == number }) {
      insertions[write.account]?[index].settled = time
      if let response, case .insert = write.change {
        insertions[write.account]?[index].id = response.id
      }
    }
    forget()
  }

  mutating func drop(_ number: Int) {
    guard let write = writes.removeValue(forKey: number) else { return }
    books[Key(account: write.account, id: write.id)]?.layers.removeAll { $0.write == number }
    insertions[write.account]?.removeAll { $0.write == number }
    forget()
  }

  mutating func clear(_ account: String) {
    books = books.filter { $0.key.account != account }
    entries = entries.filter { $0.key.account != account }
    insertions[account] = nil
    writes = writes.filter { $0.value.account != account }
  }

  /// Removes books that are in no entry and have no known edits.
  mutating func forget() {
    let held = Set(
      entries.flatMap { entry, value in
        value.members.map { Key(account: entry.account, id: $0.id) }
      }
        + insertions.flatMap { account, edits in
          edits.map { Key(account: account, id: $0.id) }
        })
    books = books.filter { key, book in
      held.contains(key) || !book.layers.isEmpty || book.lastSettled >= 0
    }
  }
}
