import CurlewLive
import CurlewScreens
import HTTPTypes
import Hummingbird
import Synchronization

/// A member of the diary's site, or a guest, who has no name.
struct Member: Equatable, Sendable {
  var name = ""
  var mayWrite = true
}

/// The members who have signed in, by the value of their cookie.
final class Members: Sendable {
  private let members: Mutex<[String: Member]>
  let admitsGuests: Bool

  /// Signs members in, whose cookies are their names.
  init(_ names: String..., admitsGuests: Bool = false) {
    self.admitsGuests = admitsGuests
    members = Mutex(Dictionary(uniqueKeysWithValues: names.map { ($0, Member(name: $0)) }))
  }

  subscript(cookie: String) -> Member? {
    get { members.withLock { $0[cookie] } }
    set { members.withLock { $0[cookie] = newValue } }
  }

  /// - Parameter asked: A closure that is called with the cookie of each request.
  func visitors(
    asked: @escaping @Sendable (Substring?) async -> Void = { _ in }
  ) -> LiveVisitors<Member, BasicRequestContext> {
    LiveVisitors(id: \.name) { request, _ in
      let cookie = request.headers[.cookie]?.split(separator: "; ")
        .first { $0.hasPrefix("member=") }?.dropFirst(7)
      await asked(cookie)
      if cookie == "locked out" { throw LiveRefusal.forbidden }
      if cookie == "unknown" { throw LiveRefusal.unauthorized }
      if let member = cookie.flatMap({ self[String($0)] }) { return member }
      if self.admitsGuests { return Member() }
      throw LiveRefusal.signIn(at: "/sign-in")
    }
  }
}

/// The notes of one member each.
struct DiaryPage: LivePage {
  typealias Visitor = Member

  var notes: NotesPage
  var lookUp: @Sendable (String) async -> String = { $0 }
  let path = "/diary"

  init() throws {
    notes = try NotesPage()
    notes.keepsText = true
  }

  var screen: Notes { Notes() }
  func screen(for visitor: Member) -> Notes {
    Notes { [lookUp] in "\(await lookUp($0)) of \(visitor.name)" }
  }
  func event(for action: LiveAction, by visitor: Member) -> Notes.Event? {
    visitor.mayWrite || action.name != "write" ? event(for: action) : nil
  }

  func event(for action: LiveAction) -> Notes.Event? { notes.event(for: action) }
  func events(for query: LiveQuery, in state: Notes.State) -> [Notes.Event] {
    notes.events(for: query, in: state)
  }
  func address(of state: Notes.State) -> LiveAddress { notes.address(of: state) }
  func savedState(of state: Notes.State) -> String? { notes.savedState(of: state) }
  func events(restoring kept: String, in state: Notes.State) -> [Notes.Event] { [.write(kept)] }
  func title(of state: Notes.State) -> String { notes.title(of: state) }
  func reloadDelay(of state: Notes.State) -> Duration? { notes.reloadDelay }
  func render(_ state: Notes.State, _ activity: ScreenActivity) -> HTML {
    notes.render(state, activity)
  }
}

/// Returns the header field of a member's requests.
func cookie(_ member: String) -> [(String, String)] { [("Cookie", "member=\(member)")] }
