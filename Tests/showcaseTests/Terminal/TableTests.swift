import Testing

@testable import showcase

/// Tables keep their columns aligned and within the window.
@Suite(.timeLimit(.minutes(1)))
struct TableTests {
  let table = Table(
    columns: [
      Table.Column("#", alignment: .right),
      Table.Column("TITLE", minimum: 6),
      Table.Column("AUTHOR", minimum: 4, rank: 1),
      Table.Column("AGE", rank: 2),
    ],
    rows: [
      [Cell("#1"), Cell("Short"), Cell("ada"), Cell("1 day ago")],
      [Cell("#20"), Cell("星空がきれいな夜"), Cell("grace-hopper"), Cell("just now")],
    ])

  func lines(within limit: Int?) -> [String] {
    table.lines(within: limit).map { $0.rendered(in: .none) }
  }

  @Test func columnsAreAsWideAsTheyMustBeWhereThereIsNoLimit() {
    #expect(
      lines(within: nil) == [
        "  #  TITLE             AUTHOR        AGE",
        " #1  Short             ada           1 day ago",
        "#20  星空がきれいな夜  grace-hopper  just now",
      ])
  }

  @Test func longTextIsCutWithAnEllipsisAndStaysAligned() {
    #expect(
      lines(within: 34)
        == [
          "  #  TITLE   AUTHOR      AGE",
          " #1  Short   ada         1 day ago",
          "#20  星空…   grace-hop…  just now",
        ])
  }

  @Test func longTextPushesOnlyItsOwnRowOnWhereThereIsNoLimit() {
    let table = Table(
      columns: [Table.Column("TITLE", maximum: 6), Table.Column("AGE")],
      rows: [[Cell("Short"), Cell("old")], [Cell("Rather long"), Cell("new")]])
    #expect(
      table.lines(within: nil).map { $0.rendered(in: .none) } == [
        "TITLE   AGE", "Short   old", "Rather long  new",
      ])
  }

  @Test func columnsGoWhenThereIsNoSpaceForThem() {
    #expect(lines(within: 22)[0].contains("AGE"))
    #expect(!lines(within: 22)[0].contains("AUTHOR"))
    #expect(lines(within: 12) == ["  #  TITLE", " #1  Short", "#20  星空が…"])
  }

  @Test(arguments: 6...60)
  func noLineIsWiderThanTheWindow(columns: Int) {
    for line in lines(within: columns) {
      #expect(line.terminalWidth <= columns, "\(line)")
    }
  }

  @Test func numbersAreNeverCut() {
    #expect(lines(within: 1).last?.hasPrefix("#20") == true)
  }

  @Test func wideCharacterThatDoesNotFitWholeIsLeftOut() {
    #expect(Cell("星空が").fitted(to: 4).map(\.text).joined() == "星…")
    #expect(Cell("星空が").fitted(to: 5).map(\.text).joined() == "星空…")
    #expect(Cell("星空が").fitted(to: 6).map(\.text).joined() == "星空が")
    #expect(Cell("星空が").fitted(to: 1).map(\.text).joined() == "…")
    #expect(Cell("星空が").fitted(to: 0).isEmpty)
  }
}
