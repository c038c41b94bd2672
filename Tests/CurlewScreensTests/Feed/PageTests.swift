import CurlewScreens
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PageTests {
  @Test(arguments: [(1, 3, 2), (2, 3, 3), (3, 3, nil), (4, 3, nil), (1, 1, nil), (1, 0, nil)])
  func `page by number ends with the last one`(number: Int, last: Int, next: Int?) {
    let page = Page<Entry>([1], number: number, of: last, total: 9)
    #expect(page.next == next.map { .number($0) })
    #expect(page.total == 9)
  }

  @Test func `each key tells what it holds`() {
    #expect(PageKey.number(2).number == 2)
    #expect(PageKey.cursor("2").number == nil && PageKey.link("2").number == nil)
    #expect(PageKey.cursor("c").cursor == "c")
    #expect(PageKey.number(2).cursor == nil && PageKey.link("c").cursor == nil)
  }
}
