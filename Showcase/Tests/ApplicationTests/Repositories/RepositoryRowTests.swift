import Application
import Domain
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RepositoryRowTests {
  @Test(arguments: [
    (0, "0"), (1, "1"), (999, "999"), (1_000, "1k"), (1_049, "1k"), (1_050, "1.1k"),
    (1_949, "1.9k"), (1_950, "2k"), (9_949, "9.9k"), (9_950, "10k"), (10_499, "10k"),
    (10_500, "11k"), (68_400, "68k"), (999_499, "999k"), (999_500, "1M"), (1_049_999, "1M"),
    (1_050_000, "1.1M"), (1_200_000, "1.2M"), (9_949_999, "9.9M"), (9_950_000, "10M"),
    (123_456_789, "123M"), (-5, "-5"),
  ])
  func `count is short`(count: Int, text: String) {
    #expect(RepositoryRow.short(count) == text)
  }

  @Test func `counts grow without a gap in four places at most`() {
    for count in [Int.max, .max - 1, .min] { #expect(!RepositoryRow.short(count).isEmpty) }
    for count in stride(from: 0, to: 2_000_000, by: 7) where RepositoryRow.short(count).count > 4 {
      Testing.Issue.record("\(count) is \(RepositoryRow.short(count))")
    }
  }

  @Test func `row says what the repository is`() throws {
    let name = try #require(RepositoryName("apple/swift"))
    let avatar = try #require(URL(string: "https://example.com/a.png"))
    let row = RepositoryRow(
      Repository(
        name: name, avatar: avatar, summary: " A language.\n", language: "C++", stars: 68_400,
        forks: 850))
    #expect(row.name == "apple/swift")
    #expect(row.summary == "A language.")
    #expect(row.language == "C++")
    #expect(row.stars == "68k")
    #expect(row.forks == "850")
    #expect(row.avatar == avatar)
  }

  @Test(arguments: [nil, "", " \n"])
  func `what is missing is replaced`(blank: String?) throws {
    let name = try #require(RepositoryName("apple/swift"))
    let row = RepositoryRow(Repository(name: name, summary: blank))
    #expect(row.summary == "No description.")
    #expect(row.language == "")
    #expect(row.stars == nil, "which is not 0")
    #expect(row.forks == nil)
    #expect(row.avatar == nil)
  }
}
