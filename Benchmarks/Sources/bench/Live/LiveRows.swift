import CurlewLive
import CurlewScreens
import Foundation
import Mustache

/// A screen with a list: a text that is typed, an item that is picked, and items that are changed.
struct LiveRows: Screen {
  enum Event: Sendable {
    case show(Int)
    case term(String)
    case pick(Int)
    case change(Int)
    case more
  }

  struct State: Equatable, Sendable {
    var text = "apple/swift"
    var count = 0
    var picked: Int?
    var changed = 0
    var changes = 0
  }

  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .show(let count): state.count = count
    case .term(let text): state.text = text
    case .pick(let index): state.picked = index
    case .change(let index):
      state.changed = index
      state.changes += 1
    case .more: state.count += 20
    }
  }
}

/// The list in a browser, in the shape of the showcase's: `/issues/92`, `/movies/20`.
struct LiveRowsPage: LivePage {
  /// What the rows are like.
  enum Kind: String, CaseIterable, Sendable {
    case issues, movies
  }

  let kind: Kind
  let screen = LiveRows()
  private let shape: LiveShape

  init(_ kind: Kind) throws {
    self.kind = kind
    shape = try LiveShape(kind)
  }

  var path: String { "/\(kind)/{count}" }

  func events(for query: LiveQuery, in state: LiveRows.State) -> [LiveRows.Event] {
    [.show(query["count"].flatMap { Int($0) } ?? 0)]
  }

  func event(for action: LiveAction) -> LiveRows.Event? {
    switch action.name {
    case "term": .term(action.value)
    case "pick": Int(action.value).map { .pick($0) }
    case "change": Int(action.value).map { .change($0) }
    case "more": .more
    default: nil
    }
  }

  func address(of state: LiveRows.State) -> LiveAddress {
    LiveAddress(
      path: "/\(kind)/\(state.count)",
      ["q": state.text, "issue": state.picked.map { "\($0)" }], isHistoryEntry: false)
  }

  func title(of state: LiveRows.State) -> String { "\(state.text) · Issues" }

  func render(_ state: LiveRows.State) -> HTML { HTML(trusted: shape.page(state)) }

  /// Draws some of the rows alone.
  func rows(_ range: Range<Int>) -> String { shape.rows(range, in: LiveRows.State()) }
}
