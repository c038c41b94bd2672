import CurlewLive
import CurlewScreens
import Hummingbird
import Testing

/// The address that a sign-in returns to is one of the router's own pages.
struct ReturnAddressTests {
  private let visitors = LiveVisitors<Member, BasicRequestContext>(id: \.name) { _, _ in Member() }

  init() throws {
    let router = Router()
    for path in ["/diary", "/diaries/{owner}/{name}"] {
      router.add(try PathPage(path: path), visitors: visitors) { $0.content }
    }
  }

  @Test(arguments: [
    "/diary", "/diary/", "/diary?q=a%20b&next=//x", "/diary?q=%0d%0a", "/diaries/ada/my%20first",
    "/diaries/%C3%A9/x",
  ])
  func `a page of the router`(address: String) {
    #expect(visitors.address(returningTo: address) == address)
  }

  @Test(arguments: [
    nil, "", "/", "/else", "diary", "?q=a", "//diary", "///diary", "//evil.example/diary",
    "/\\evil.example", "\\/diary", "/diary\\..", "https://evil.example/diary", "https:/diary",
    "javascript:alert(1)", "//evil.example", "/%2Fevil.example/diary", "/%2fdiary", "/%5Cdiary",
    "/%252Fdiary", "/%25252525252Fdiary", "/diary\r\nSet-Cookie: a=b", "/dia\try", "\t/diary",
    " /diary", "/diary ", "/diary?q=\u{0}", "/diary?q=\n", "/diary?q=é", "/diary/%0d%0a",
    "/diaries/a%0Ab/c", "/diaries/a%09/c", "/diaries/../diary", "/diaries/%2e%2e/diary",
    "/diaries/./c", "/diaries/a%5C/c", "/diaries/a/%2F%2Fevil.example", "/diaries/a//b",
    "/diaries/a%C2%85b/c", "/diary%", "/diary#x",
  ])
  func `anything else leads to the start page`(address: String?) {
    #expect(visitors.address(returningTo: address) == "/")
    #expect(visitors.address(returningTo: address, otherwise: "/home") == "/home")
  }

  /// The diary at another path.
  private struct PathPage: LivePage {
    typealias Visitor = Member
    let path: String
    let diary: DiaryPage

    init(path: String) throws { (self.path, diary) = (path, try DiaryPage()) }

    var screen: Notes { diary.screen }
    func events(for query: LiveQuery, in state: Notes.State) -> [Notes.Event] { [] }
    func event(for action: LiveAction) -> Notes.Event? { nil }
    func address(of state: Notes.State) -> LiveAddress { LiveAddress(path: path) }
    func title(of state: Notes.State) -> String { path }
    func render(_ state: Notes.State, _ activity: ScreenActivity) -> HTML { HTML(text: path) }
  }
}
