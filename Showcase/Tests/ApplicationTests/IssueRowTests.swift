import Application
import Domain
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IssueRowTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  func row(
    title: String = "Make it so", author: String = "ada", age: TimeInterval = 0,
    comments: Int? = 0
  ) throws -> IssueRow {
    let name = try #require(RepositoryName("apple/swift"))
    return IssueRow(
      Domain.Issue(
        repository: name, number: 12, title: title, body: "",
        labels: [.init(name: "bug", color: "d73a4a")], author: author,
        createdAt: Self.now.addingTimeInterval(-age), comments: comments),
      now: Self.now)
  }

  @Test func `row says number title labels and author`() throws {
    let row = try row()
    #expect(row.number == "#12")
    #expect(row.title == "Make it so")
    #expect(row.labels.map(\.name) == ["bug"])
    #expect(row.author == "ada")
  }

  @Test(arguments: ["", "  ", "\n"])
  func `blank title is replaced and blank author is none`(blank: String) throws {
    #expect(try row(title: blank).title == "(no title)")
    #expect(try row(author: blank).author == "")
  }

  @Test(
    arguments: [
      (-1, nil), (0, nil), (1, "1 comment"), (2, "2 comments"),
      (1_000, "1000 comments"), (nil, nil),
    ] as [(Int?, String?)])
  func `comments are counted if they are known`(count: Int?, text: String?) throws {
    #expect(try row(comments: count).comments == text)
  }

  @Test(
    arguments: [
      (-3_600.0, "just now"), (0, "just now"), (59, "just now"), (60, "1 minute ago"),
      (3_599, "59 minutes ago"), (3_600, "1 hour ago"), (86_399, "23 hours ago"),
      (86_400, "1 day ago"), (6 * 86_400, "6 days ago"), (7 * 86_400, "1 week ago"),
      (29 * 86_400, "4 weeks ago"), (30 * 86_400, "1 month ago"), (364 * 86_400, "12 months ago"),
      (365 * 86_400, "1 year ago"), (800 * 86_400, "2 years ago"),
    ] as [(TimeInterval, String)])
  func `age is the largest whole unit`(seconds: TimeInterval, text: String) throws {
    #expect(try row(age: seconds).age == text)
  }

  @Test func `age of impossible dates is a text`() throws {
    #expect(try row(age: .infinity).age == "1000000 years ago")
    #expect(try row(age: -.infinity).age == "just now")
  }
}
