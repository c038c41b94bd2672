import CurlewLive
import CurlewScreens

/// A screen with 1,000 rows, each of which shows its number of changes.
struct ThousandRows: Screen {
  var initial: [Int] { Array(repeating: 0, count: 1_000) }

  func handle(_ event: Int, _ state: inout [Int], _ work: inout Work<[Int]>) {
    if state.indices.contains(event) { state[event] += 1 }
  }
}

/// The page of the rows.
struct ThousandRowsPage: LivePage {
  let screen = ThousandRows()
  /// The end of each row's key.
  var suffix = ""
  var path: String { "/rows" }

  func events(for query: LiveQuery, in state: [Int]) -> [Int] { [] }

  func event(for action: LiveAction) -> Int? { Int(action.value) }

  func address(of state: [Int]) -> LiveAddress { LiveAddress() }

  func title(of state: [Int]) -> String { "Rows" }

  func render(_ state: [Int], _ activity: ScreenActivity) -> HTML {
    let rows = state.enumerated().map { index, count in
      """
      <li id="row-\(index)\(suffix)"><a href="/rows?row=\(index)" data-live-click="change" \
      data-live-value="\(index)">Row \(index) was changed <b>\(count)</b> times</a></li>

      """
    }
    return HTML(trusted: "<ol id=\"rows\">\n\(rows.joined())</ol>")
  }
}
