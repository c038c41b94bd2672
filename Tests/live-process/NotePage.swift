import Curlew
import CurlewAsyncHTTPClient
import CurlewFleet
import CurlewLive
import CurlewScreens
import CurlewStore
import CurlewSupport

struct Note: Entity, Codable {
  let id: Int
  var text: String
}

/// An API with a note, whose clients share their limits and tokens, and whose stores tell each other their writes.
struct NotesAPI: Sendable {
  let store: Store
  private let client: Client
  private let fleet: Fleet

  init(_ url: String, _ fleet: Fleet) throws {
    let base = try BaseURL(url)
    let auth = Client(baseURL: base) { $0.transport = .asyncHTTPClient }
    client = Client(baseURL: base) {
      $0.transport = .asyncHTTPClient
      $0.middleware = [
        .bearer(
          BearerToken(access: Sensitive("old")),
          refresh: fleet.singleFlight("api") { _ in
            BearerToken(access: Sensitive(try await auth.send(.post("/token"))))
          })
      ]
      $0.networkMiddleware = [
        .rateBudget(
          RateBudget(scope: { $0.head.path ?? "" }, units: fleet.take), maximumDelay: .zero)
      ]
    }
    (store, self.fleet) = (Store(client), fleet)
  }

  func exchange() async {
    await fleet.exchange("store", store.announcements()) { [store] in await store.receive($0) }
  }

  /// Sends requests at once; returns how many succeeded.
  func calls(_ path: String, _ count: Int) async -> Int {
    await withTaskGroup(of: Int.self) { [client] group in
      for _ in 0..<count {
        group.addTask { (try? await client.send(.get("/\(path)"))).map { 1 } ?? 0 }
      }
      return await group.reduce(0, +)
    }
  }
}

/// The note, which all visitors of all servers may write.
struct NotePage: LivePage {
  struct NoteScreen: Screen {
    enum Event: Sendable { case open, write(String) }

    struct State: Equatable, Sendable { var note = Loadable<Note>.idle }

    static let entry = StoreEntry(Request<Note>.get("/note"), entities: .one(\.self)) { $0 }

    let store: Store
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .open: work.follow("note", Self.entry, in: store, \.note)
      case .write(let text):
        work.perform(
          Request<Void>.put("/note", body: .json(Note(id: 1, text: text))), in: store, queue: "note"
        ) {
          $0.update(Note.self, 1) { $0.text = text }
        }
      }
    }
  }

  let path = "/note"
  let store: Store
  var screen: NoteScreen { NoteScreen(store: store) }

  func events(for query: LiveQuery, in state: NoteScreen.State) -> [NoteScreen.Event] { [.open] }
  func event(for action: LiveAction) -> NoteScreen.Event? { .write(action.value) }
  func address(of state: NoteScreen.State) -> LiveAddress { LiveAddress() }
  func title(of state: NoteScreen.State) -> String { "note: \(state.note.latest?.text ?? "")" }
  func render(_ state: NoteScreen.State, _ activity: ScreenActivity) -> HTML {
    // Safe: the test writes only digits and letters.
    HTML(trusted: "<p id=\"note\">\(state.note.latest?.text ?? "")</p>")
  }
}
