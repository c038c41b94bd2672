import Domain
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IssueTests {
  @Test(arguments: [
    ("d73a4a", "d73a4a"), ("FFFFFF", "ffffff"), ("", "888888"), ("fff", "888888"),
    ("#d73a4", "888888"), ("red;}x", "888888"), ("ＡＢ", "888888"), ("d73a4a0", "888888"),
  ])
  func `labels colour is six hexadecimal digits or grey`(given: String, kept: String) {
    #expect(Domain.Issue.Label(name: "bug", color: given).color == kept)
  }
}
