import Application
import CurlewLive
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

@testable import showcase

/// A text being typed appears only in its field, in the title and in the address; the shown content
/// and its links don't change.
@Suite(.timeLimit(.minutes(1)))
struct TypedTextTests {
  private func issues(_ host: TwoOfEach = TwoOfEach()) -> DrawnPage<IssuesPage> {
    DrawnPage(
      IssuesPage(IssueTracker(TrackIssues(host: host))), at: "/issues?q=apple/swift&issue=7")
  }

  private func expectOnlyTheFieldChanges<Page>(
    _ drawn: DrawnPage<Page>, from old: String, to new: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = drawn.html
    drawn.act("term", new)
    let after = drawn.html.replacing(#"value="\#(new)""#, with: #"value="\#(old)""#)
    #expect(after == before, sourceLocation: sourceLocation)
    #expect(drawn.html != before, "it is in the field", sourceLocation: sourceLocation)
  }

  @Test func `rows lead to their repository while another is typed`() {
    let page = issues()
    page.act("close")
    expectOnlyTheFieldChanges(page, from: "apple/swift", to: "apple/swift-nio")
    #expect(page.html.contains(#"href="/issues?q=apple/swift&amp;issue=935""#))
  }

  @Test func `closing leads back to the list that is shown`() {
    #expect(
      issues().html.contains(#"<a href="/issues?q=apple/swift" class="button is-quiet close""#))
  }

  @Test func `picking means the list that is shown`() {
    let page = issues()
    page.act("term", "apple/swift-nio")
    page.act("pick", "apple/swift 935")
    #expect(page.address == "?q=apple/swift&issue=935")
    page.probe.advance(by: .seconds(5))
    #expect(page.address == "?q=apple/swift&issue=935")
    #expect(page.html.contains(#"id="picked""#))
  }

  @Test func `number alone means what is searched`() {
    let page = issues()
    page.act("pick", "935")
    #expect(page.address == "?q=apple/swift&issue=935")
    page.act("pick", "a b c")
    #expect(page.address == "?q=apple/swift&issue=935", "nonsense changes nothing")
  }

  @Test func `language that is typed is in no link of the list`() {
    let page = DrawnPage(
      RepositoriesPage(Repositories(host: TwoOfEach())), at: "/repositories?language=swift&page=3")
    expectOnlyTheFieldChanges(page, from: "swift", to: "swiftly")
    #expect(page.html.contains(#"href="/repositories?language=swift&amp;page=2""#))
  }

  @Test func `repository that is typed is in no link of the watched one`() {
    let page = DrawnPage(WatchPage(Watch(host: TwoOfEach())), at: "/watch?q=apple/swift")
    expectOnlyTheFieldChanges(page, from: "apple/swift", to: "apple/swift-nio")
  }

  @Test func `breed that is typed is in no row`() {
    let page = DrawnPage(DogsPage(DogSearch(TwoOfEach())), at: "/dogs?q=ak")
    expectOnlyTheFieldChanges(page, from: "ak", to: "aki")
  }

  @Test func `trying again leads to what failed`() {
    let broken = TwoOfEach(error: Broken())
    let dogs = DrawnPage(DogsPage(DogSearch(broken)), at: "/dogs?q=ak")
    dogs.act("term", "aki")
    #expect(!dogs.html.contains("q=aki"))
    let issues = issues(broken)
    issues.act("term", "apple/swift-nio")
    #expect(!issues.html.contains("q=apple/swift-nio"))
    let watch = DrawnPage(WatchPage(Watch(host: broken)), at: "/watch?q=apple/swift")
    watch.act("term", "apple/swift-nio")
    #expect(watch.html.contains(#"href="/watch?q=apple/swift" data-live-click="retry""#))
  }

  @Test(arguments: ["nonsense", "21", "apple/cups#21", "apple/cups 0x1", "../.. 1"])
  func `a name that can't be read closes nothing`(value: String) {
    let page = IssuesPage(IssueTracker(TrackIssues(host: TwoOfEach())))
    #expect(page.event(for: LiveAction(name: "close-issue", value: value)) == nil)
    #expect(page.event(for: LiveAction(name: "close-issue", fields: ["issue": value])) == nil)
    #expect(page.event(for: LiveAction(name: "close-issue")) != nil)
  }
}
