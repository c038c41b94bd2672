import CurlewLive
import CurlewScreens
import Foundation

/// A screen with a list, a search term, a selected item, and changing items.
struct LiveRows: Screen {
  enum Event: Sendable {
    case show(Int)
    case term(String)
    case pick(Int)
    case change(Int)
    case more, fewer
  }

  struct State: Equatable, Sendable {
    var text = "apple/swift"
    var items: [Item] = []
    var picked: Int?
  }

  struct Item: Equatable, Sendable {
    let index: Int
    var changes = 0

    var id: String { "\(80_000 - index)" }
  }

  /// The initial number of items.
  var count = 0

  var initial: State { State(items: (0..<count).map { Item(index: $0) }) }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .show(let count): state.items = (0..<count).map { Item(index: $0) }
    case .term(let text): state.text = text
    case .pick(let index): state.picked = index
    case .change(let index): state.items[index].changes += 1
    case .more:
      let count = state.items.count
      state.items += (count..<count + 20).map { Item(index: $0) }
    case .fewer: state.items.removeLast(min(20, state.items.count))
    }
  }
}

/// A page with the list, which resembles the showcase's lists: `/issues/92`, `/movies/20`.
///
/// The prefix `/whole` renders the whole page for each state. With `/shared`, all browsers share a list of 1,000 rows.
struct LiveRowsPage: LivePage {
  /// The kind of rows.
  enum Kind: String, CaseIterable, Sendable {
    case issues, movies
  }

  let kind: Kind
  let isWhole: Bool
  let isShared: Bool
  let screen: LiveRows
  private let shape: LiveShape

  init(_ kind: Kind, isWhole: Bool = false, isShared: Bool = false) throws {
    (self.kind, self.isWhole, self.isShared) = (kind, isWhole, isShared)
    screen = LiveRows(count: isShared ? 1_000 : 0)
    shape = try LiveShape(kind)
  }

  private var start: String {
    isWhole ? "/whole/\(kind)" : isShared ? "/shared/\(kind)" : "/\(kind)"
  }

  var path: String { isShared ? start : "\(start)/{count}" }

  func events(for query: LiveQuery, in state: LiveRows.State) -> [LiveRows.Event] {
    [.show(query["count"].flatMap { Int($0) } ?? 0)]
  }

  func event(for action: LiveAction) -> LiveRows.Event? {
    switch action.name {
    case "term": .term(action.value)
    case "pick": Int(action.value).map { .pick($0) }
    case "change": Int(action.value).map { .change($0) }
    case "more": .more
    case "fewer": .fewer
    default: nil
    }
  }

  func address(of state: LiveRows.State) -> LiveAddress {
    LiveAddress(
      path: isShared ? start : "\(start)/\(state.items.count)",
      ["q": state.text, "issue": state.picked.map { "\($0)" }], isHistoryEntry: false)
  }

  func title(of state: LiveRows.State) -> String { "\(state.text) · Issues" }

  func render(_ state: LiveRows.State, _ activity: ScreenActivity) -> HTML {
    if isWhole {
      return HTML(trusted: shape.page(state, rows: shape.rows(state.items, picked: state.picked)))
    }
    let rows = LivePiece(
      "rows", rows: state.items,
      key: { [kind] in kind == .issues ? "apple/swift \($0.id)" : $0.id },
      also: { $0.index == state.picked }
    ) {
      [shape] in shape.row($0, isPicked: $1)
    }
    return HTML(trusted: shape.page(state, rows: rows.marker), pieces: [rows])
  }

  /// Renders some of the rows alone.
  func rows(_ range: Range<Int>) -> String {
    shape.rows(range.map { LiveRows.Item(index: $0) }, picked: nil)
  }
}
