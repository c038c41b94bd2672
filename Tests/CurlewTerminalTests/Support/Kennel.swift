import CurlewScreens
import CurlewTerminal
import CurlewTesting
import Synchronization

/// Apps that show dogs.
enum Kennel {
  struct Dog: Identifiable, Equatable, Sendable {
    let name: String
    var group = "Hounds"
    var page: String?
    var id: String { name }
  }

  struct DogRoute: Route {
    let name: String
    var address: String { "/dogs/\(name)" }

    init(_ name: String) { self.name = name }
    init?(address: String) { nil }
  }

  struct Broken: Error {}

  static let columns: [Column<Dog>] = [
    .text("NAME", least: 6) { $0.name }, Column.word("GROUP") { $0.group }.faint,
  ]

  /// A search whose rows open the dog's screen, with a key for each row.
  static func search(
    _ find: @escaping @Sendable (String) async throws -> [Dog] = { text in
      (1...40).map { Dog(name: "\(text) \($0)") }
    }
  ) -> TerminalApp {
    TerminalApp(Search<Dog>(find: find)) { state in
      TerminalView(
        "Dogs", status: state.items.isEmpty ? "" : "\(state.items.count) dogs",
        fields: [Field("Breed", text: state.text, prompt: "beagle") { .term($0) }], submit: .submit,
        list: List(
          state.items, id: \.name, columns: columns, placeholder: "No dogs.",
          isOld: state.isLoading
        ) {
          .go(to: DogRoute($0.name))
        } shortcuts: { dog in
          [Shortcut("t", "tag", .show(Text("Tag of \(dog.name)")))]
        },
        shortcuts: [Shortcut("a", "all", .send(.term("all"), .submit))])
    }.destination(for: DogRoute.self) { detail($0.name) }
  }

  static func detail(_ name: String) -> TerminalApp {
    TerminalApp(Detail<String, Never, Dog> { Dog(name: $0) }, start: [.show(name)]) { state in
      TerminalView(
        name,
        text: Text(
          (1...60).map { "Line \($0)" }.joined(separator: "\n"), title: name,
          facts: [
            ("Group", state.content.latest?.group ?? ""), ("Unknown", ""),
            ("Page", "https://dogs.example/\(name.utf8.count)"),
          ]))
    }
  }

  /// A feed of 5,000 dogs in pages of 100.
  static func feed(pageSize: Int = 100, fails: Bool = false) -> TerminalApp {
    TerminalApp(
      Feed<Dog> { key in
        if fails { throw Broken() }
        let number = key?.number ?? 1
        let dogs = (0..<pageSize).map { Dog(name: "Dog \((number - 1) * pageSize + $0 + 1)") }
        return Page(dogs, number: number, of: 5_000 / pageSize)
      }, start: [.load]
    ) { state in
      TerminalView(
        "All dogs", list: List(state, columns: columns, event: { $0 }) { .show(Text($0.name)) })
    }
  }

  struct Draft: FormDraft {
    enum Field: String, CaseIterable { case name, owner }
    var name = ""
    var owner = ""

    subscript(field: Field) -> String {
      get { field == .name ? name : owner }
      set { if field == .name { name = newValue } else { owner = newValue } }
    }

    func problem(in field: Field) -> String? {
      self[field].isEmpty ? "Fill in the \(field.rawValue)." : nil
    }
  }

  typealias Registration = FormScreen<Draft, Int>

  static func form(
    _ register: @escaping @Sendable (Draft) async throws -> Int = { _ in 7 }
  ) -> TerminalApp {
    TerminalApp(
      Registration(
        Draft(), route: { _ in DogRoute("Registered") },
        submit: { draft, _ in try await register(draft) })
    ) { state in
      TerminalView(
        "Register",
        status: state.submission.latest.map { "Number \($0)" } ?? "",
        fields: Field.fields(of: state, event: { $0 }) { $0 == .name ? "Name" : "Owner" },
        submit: .submit)
    }.destination(for: DogRoute.self) { detail($0.name) }
  }
}

/// A filter with choices.
struct Filter: Screen {
  struct State: Equatable {
    var size = 1
    var coat = "short"
  }

  enum Event { case size(Int), coat(String) }

  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .size(let size): state.size = size
    case .coat(let coat): state.coat = coat
    }
  }

  static let app = TerminalApp(Filter()) { state in
    TerminalView(
      "Filter",
      fields: [
        Field("Size", options: [(1, "small"), (2, "medium"), (3, "large")], chosen: state.size) {
          .size($0)
        },
        Field("Coat", options: [("short", "short"), ("long", "long")], chosen: state.coat) {
          .coat($0)
        },
      ], note: "Size \(state.size), \(state.coat)")
  }
}

/// A number of rows, which never says that it asks for more.
struct Counter: Screen {
  enum Event { case add, asked }

  final class Asked: Sendable {
    let count = Mutex(0)
  }

  let asked = Asked()
  let initial = 3

  func handle(_ event: Event, _ state: inout Int, _ work: inout Work<Int>) {
    switch event {
    case .add: state += 1
    case .asked: asked.count.withLock { $0 += 1 }
    }
  }
}
