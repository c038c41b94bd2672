import Testing

@testable import CurlewTerminal

/// Tables have aligned columns that fit into the window.
@Suite(.timeLimit(.minutes(1)))
struct TableTests {
  typealias Row = (number: String, title: String, author: String, age: String)

  let columns: [Column<Row>] = [
    .number("#") { $0.number }, .text("TITLE", least: 6) { $0.title },
    .text("AUTHOR", least: 4) { $0.author }, .word("AGE") { $0.age },
  ]
  let items = [
    ("#1", "Short", "ada", "1 day ago"), ("#20", "星空がきれいな夜", "grace-hopper", "just now"),
  ]

  func lines(within width: Int?) -> [String] {
    columns.table(of: items, on: Terminal(windowWidth: width, environment: [:]))
  }

  @Test func `columns are as wide as they must be where there is no limit`() {
    #expect(
      lines(within: nil) == [
        "  #  TITLE             AUTHOR        AGE",
        " #1  Short             ada           1 day ago",
        "#20  星空がきれいな夜  grace-hopper  just now",
      ])
  }

  @Test func `long text is cut with an ellipsis and stays aligned`() {
    #expect(
      lines(within: 34) == [
        "  #  TITLE   AUTHOR      AGE",
        " #1  Short   ada         1 day ago",
        "#20  星空…   grace-hop…  just now",
      ])
  }

  @Test func `long text pushes only its own row on where there is no limit`() {
    let long = String(repeating: "x", count: 100)
    let columns: [Column<Row>] = [.text("TITLE", least: 6) { $0.title }, .word("AGE") { $0.age }]
    let lines = columns.table(
      of: [("", long, "", "new"), ("", "Short", "", "old")],
      on: Terminal(windowWidth: nil, environment: [:]))
    #expect(lines[1] == long + "  new")
    #expect(lines[2] == "Short" + String(repeating: " ", count: 77) + "old")
  }

  @Test func `columns at the right go when there is no space for them`() {
    #expect(lines(within: 22)[0].contains("AUTHOR"))
    #expect(!lines(within: 22)[0].contains("AGE"))
    #expect(lines(within: 12) == ["  #  TITLE", " #1  Short", "#20  星空が…"])
  }

  @Test(arguments: 6...60)
  func `no line is wider than the window`(columns: Int) {
    for line in lines(within: columns) {
      #expect(line.terminalWidth <= columns, "\(line)")
    }
  }

  @Test func `ordinary numbers are not cut`() {
    #expect(lines(within: 1).last?.hasPrefix("#20") == true)
  }

  @Test(arguments: [40, 80])
  func `value of hundreds of letters is cut whatever its column`(columns: Int) {
    let long = String(repeating: "9", count: 300)
    let lines = self.columns.table(
      of: [(long, "Title", "ada", long)], on: Terminal(windowWidth: columns, environment: [:]))
    for line in lines { #expect(line.terminalWidth <= columns, "\(line)") }
    #expect(lines[1].hasPrefix("9999999") && lines[1].contains("…  Title"))
  }

  @Test func `wide titles are whole, and control characters do not pass`() {
    let columns: [Column<Row>] = [
      .number("番号") { $0.number }, .word("A\u{1B}[31mB") { $0.title },
    ]
    let lines = columns.table(
      of: [("1", "x", "", "")],
      on: Terminal(windowWidth: 40, environment: ["LANG": "C.UTF-8"]))
    #expect(lines[0].contains("番号  A") && !lines[0].contains("\u{1B}[31m"))
    #expect(lines[1].hasPrefix("   1  x"))
  }

  @Test func `wide character that does not fit whole is left out`() {
    for (width, text) in [(0, ""), (1, "…"), (4, "星…"), (5, "星空…"), (6, "星空が")] {
      #expect("星空が".fitted(to: width) == text)
    }
  }
}
