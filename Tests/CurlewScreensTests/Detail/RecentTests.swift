import CurlewScreens
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecentTests {
  func remember(_ ids: some Sequence<Int>, _ text: String = "", in recent: RecentValues<Int, Entry>)
  {
    recent.remember(ids.map { Entry($0, text) }, by: \.id)
  }

  func present(_ ids: some Sequence<Int>, in recent: RecentValues<Int, Entry>) -> [Int] {
    ids.filter { recent[$0] != nil }
  }

  @Test func `new value takes the place of the old`() {
    let recent = RecentValues<Int, Entry>()
    remember(1...2, "old", in: recent)
    remember([1], "new", in: recent)
    #expect(recent[1] == Entry(1, "new"))
    #expect(recent[2] == Entry(2, "old"))
  }

  @Test func `oldest are forgotten first`() {
    let recent = RecentValues<Int, Entry>(limit: 3)
    remember(1...5, in: recent)
    #expect(present(1...5, in: recent) == [3, 4, 5])
    remember([6], in: recent)
    #expect(present(1...6, in: recent) == [4, 5, 6])
  }

  @Test func `what was shown again is not old`() {
    let recent = RecentValues<Int, Entry>(limit: 3)
    remember(1...3, in: recent)
    remember([1, 1], in: recent)
    remember([4], in: recent)
    #expect(present(1...4, in: recent) == [1, 3, 4])
    for _ in 1...100 { remember([1, 4], in: recent) }
    remember([5], in: recent)
    #expect(present(1...5, in: recent) == [1, 4, 5])
  }

  @Test func `limit holds whatever is remembered`() {
    let recent = RecentValues<Int, Entry>(limit: 10)
    for turn in 0..<200 { remember(turn * 3..<turn * 3 + 7, in: recent) }
    #expect(present(0..<1_000, in: recent) == Array(594..<604))
  }

  @Test func `there is room for one at least`() {
    let recent = RecentValues<Int, Entry>(limit: 0)
    remember(1...2, in: recent)
    #expect(present(1...2, in: recent) == [2])
  }

  @Test func `many tasks may remember at once`() async {
    let recent = RecentValues<Int, Entry>(limit: 50)
    await withTaskGroup { group in
      for start in 0..<20 {
        group.addTask { recent.remember((start..<start + 40).map { Entry($0) }, by: \.id) }
      }
    }
    #expect(present(0..<100, in: recent).count == 50)
  }
}
