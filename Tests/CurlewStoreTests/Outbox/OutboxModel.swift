import CurlewStore
import Foundation
import HTTPTypes
import outbox_process

/// What the outbox promises, in plain Swift.
struct OutboxModel {
  enum State: Equatable { case pending, unknown, conflict(Book), refused }
  enum Kind { case stars, title, add }

  struct Book: Equatable {
    var stars = 0
    var title = 0
    var version = 0
  }

  struct Action {
    var id = UUID()
    let account: String
    /// The id of the book, perhaps a temporary one.
    var book: Int
    var number: Int
    var kind = Kind.stars
    var repeats = ActionRepeats.idempotent
    /// The action that creates the book.
    var after: UUID?
    var base = Book()
    var state = State.pending

    var isInConflict: Bool { if case .conflict = state { true } else { false } }
  }

  /// The actions in the outbox, in their order.
  var actions: [Action] = []
  /// The server's books, by path, and those that were created, by temporary id.
  var server: [String: Book] = [:]
  var created: [Int: Int] = [:]
  /// How often the server may perform an action that must not be repeated, and how often it has performed it.
  var allowed: [Int: Int] = [:]
  var effects: [Int: Int] = [:]
  /// The positions of actions that were sent again after a refusal; of the others, it is their number.
  var ranks: [Int: Int] = [:]
  /// The position of the last performed action of each book.
  var last: [String: Int] = [:]
  var keys: [Int: Set<String>] = [:]
  /// The temporary ids of the books that actions add.
  var drafts: [Int: Int] = [:]
  /// The accounts of the temporary ids, and those that a client has received the server's ids of.
  var accounts: [Int: String] = [:]
  var known: Set<Int> = []

  func index(_ number: Int) -> Int? { actions.firstIndex { $0.number == number } }

  func path(_ action: Action) -> String {
    StarredBook.path(action.account, created[action.book] ?? action.book)
  }

  /// The book that a screen of an account shows.
  func shown(_ account: String, _ id: Int) -> Book {
    let path = StarredBook.path(account, id)
    var book = server[path] ?? Book()
    for action in actions where self.path(action) == path && action.state != .refused {
      switch action.kind {
      case .stars: book.stars = action.number
      case .title: book.title = action.number
      case .add: break
      }
    }
    return book
  }

  /// The action with an id, and all that come after it.
  func chain(_ id: UUID) -> [UUID] { [id] + actions.filter { $0.after == id }.map(\.id) }

  /// The number of the action that sends a request.
  static func number(_ path: String) -> Int {
    let words = path.split { "/?=".contains($0) }
    return Int(words[words.count > 4 ? 4 : 3])!
  }

  /// Replaces the title of an action, which is based on the server's book after a conflict.
  mutating func replace(_ index: Int, by number: Int) {
    var action = actions[index]
    if case .conflict(let theirs) = action.state { action.base = theirs }
    if action.repeats == .never { allowed[number] = 1 }
    ranks[number] = ranks[action.number] ?? action.number
    let isRefused = action.state == .refused
    (action.number, action.state) = (number, .pending)
    actions[index] = action
    guard isRefused else { return }
    ranks[number] = number
    actions.append(actions.remove(at: index))
  }

  /// Performs a request on the server.
  mutating func perform(_ path: String, key: String?) -> (
    status: Int, body: String, broken: String?
  ) {
    let words = path.split { "/?=".contains($0) }.map(String.init)
    let isTitle = words[3] == "titles"
    let (book, number) = (StarredBook.path(words[0], Int(words[2]) ?? 0), Self.number(path))
    if let key {
      keys[number, default: []].insert(key)
      if keys[number]!.count > 1 { return (0, "", "\(path) has two keys") }
    }
    if words[2] == "new" {
      let draft = drafts[number]!
      created[draft] = created[draft] ?? 100 - draft
      let id = created[draft]!
      effects[number] = 1
      server[StarredBook.path(words[0], id)] = server[StarredBook.path(words[0], id)] ?? Book()
      return (200, #"{"id":\#(id),"stars":0,"title":0,"version":0}"#, nil)
    }
    if Int(words[2])! < 0 { return (0, "", "\(path) has a temporary id") }
    if key != nil, effects[number] != nil { return (200, "", nil) }
    if isTitle, Int(words[6]) != server[book, default: Book()].version { return (412, "", nil) }
    let rank = ranks[number] ?? number
    if effects[number] == nil, last[book] ?? 0 > rank { return (0, "", "\(path) overtook another") }
    effects[number, default: 0] += 1
    if let allowed = allowed[number], effects[number]! > allowed {
      return (0, "", "\(path) was repeated")
    }
    last[book] = rank
    server[book, default: Book()].version += 1
    if isTitle { server[book]!.title = number } else { server[book]!.stars = number }
    return (200, "", nil)
  }

  /// Ends a request in a client: with a status, with `nil` for a lost response, or with 0 if the request never left.
  mutating func end(_ path: String, status: Int?, isCurrent: Bool = true) {
    guard let index = index(Self.number(path)) else { return }
    switch status {
    case 200:
      if actions[index].kind == .add { known.insert(actions[index].book) }
      actions.remove(at: index)
    case 410: actions[index].state = .refused
    case 412 where isCurrent: rebase(index)
    case nil, 503: if actions[index].repeats == .never { actions[index].state = .unknown }
    default: break
    }
  }

  private mutating func rebase(_ index: Int) {
    let newer = server[path(actions[index])] ?? Book()
    if newer.title == actions[index].number {
      actions.remove(at: index)
    } else if newer.title == actions[index].base.title {
      actions[index].base = newer
    } else {
      actions[index].state = .conflict(newer)
    }
  }

  /// Decides about an action; `number` is the next position.
  mutating func decide(_ outcome: ActionOutcome, _ index: Int, _ number: inout Int) {
    let action = actions[index]
    switch (outcome, action.state) {
    case (.drop, _):
      let ids = chain(action.id)
      actions.removeAll { ids.contains($0.id) }
    // The user says so, and the screen shows it until the server's data arrives.
    case (.done, .unknown): actions.remove(at: index)
    case (.send, .unknown), (.send, .conflict):
      if case .conflict(let theirs) = action.state { actions[index].base = theirs }
      if action.state == .unknown { allowed[action.number]? += 1 }
      actions[index].state = .pending
    case (.send, .refused):
      actions[index].state = .pending
      let ids = chain(action.id)
      let moved = ids.compactMap { id in actions.first { $0.id == id } }
      actions.removeAll { ids.contains($0.id) }
      actions += moved
      for action in moved {
        number += 1
        ranks[action.number] = number
      }
      allowed[action.number]? += 1
    default: break
    }
  }
}
