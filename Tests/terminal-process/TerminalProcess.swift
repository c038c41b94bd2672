import CurlewScreens
import CurlewTerminal

/// An app in a real terminal: 5,000 rows with hard names, and a key that ends the process by a trap.
@main
struct TerminalProcess {
  struct Rows: Screen {
    struct State: Equatable {
      var text = ""
    }

    enum Event { case text(String), trap }

    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .text(let text): state.text = text
      case .trap: fatalError("as the test asks for")
      }
    }
  }

  static let names = ["Akita", "秋田犬ハチ公", "👩‍👩‍👧‍👦🇩🇪", "كلب السلوقي", "\u{1B}[31mred\u{7}"]

  static func main() async throws {
    let rows = (0..<5_000).map { (id: $0, name: names[$0 % names.count]) }
    try await TerminalApp(Rows()) { state in
      TerminalView(
        "Rows", status: "\(state.text.count) characters",
        fields: [Field("Text", text: state.text) { .text($0) }],
        list: List(
          rows, id: \.id, columns: [.number("#") { "\($0.id + 1)" }, .text("NAME") { $0.name }]),
        shortcuts: [Shortcut("!", "trap", .send(.trap))])
    }.run()
  }
}
