import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

nonisolated struct Repository: Codable {
  let id: Int
  var name: String
  var isStarred: Bool
  var summary: String
}

nonisolated struct RepositoryRow: Decodable {
  let id: Int
  var name: String
  var isStarred: Bool
}

nonisolated enum GitHub {
  static func repository(_ id: Int) -> Request<Repository> { .get("/repositories/\(id)") }
  static func list(_ key: PageKey?) -> Request<[RepositoryRow]> {
    .get("/repositories", query: ["page": key?.number])
  }
  static var starredList: Request<[RepositoryRow]> { .get("/starred") }
  static func star(_ id: Int, _ isOn: Bool) -> Request<Void> {
    isOn ? .put("/starred/\(id)") : .delete("/starred/\(id)")
  }
}

nonisolated extension Repository: Entity {}

nonisolated extension RepositoryRow: EntityView {
  init(_ whole: Repository) { (id, name, isStarred) = (whole.id, whole.name, whole.isStarred) }
  func apply(to whole: inout Repository) { (whole.name, whole.isStarred) = (name, isStarred) }
}

nonisolated extension GitHub {
  static func entry(_ id: Int) -> StoreEntry<Repository> {
    StoreEntry(repository(id), entities: .one(\.self)) { $0 }
  }
  static func page(_ key: PageKey?) -> StoreEntry<Page<RepositoryRow>> {
    StoreEntry(list(key), entities: .each(\.items)) { Page($0, number: key?.number ?? 1, of: 3) }
      .tagged("lists")
  }
  static let starred = StoreEntry(starredList, entities: .each(\.self)) { $0 }
}

nonisolated struct StarRepository: StoreAction {
  static let name = "star-repository"
  let id: Int
  let isOn: Bool

  var request: Request<Void> { GitHub.star(id, isOn) }
  var queue: String { "star \(id)" }
  var repeats: ActionRepeats { .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Repository.self, id) { $0.isStarred = isOn }
    edit.invalidate(GitHub.starred)
  }
}

nonisolated extension GitHub {
  static func edit(_ id: Int, _ summary: String, from old: String) -> Request<Void> {
    .put("/repositories/\(id)/summary", query: ["text": summary, "from": old])
  }
}

nonisolated struct EditSummary: ConditionalAction {
  static let name = "edit-summary"
  var base: Repository
  let summary: String

  var entry: StoreEntry<Repository> { GitHub.entry(base.id) }
  var request: Request<Void> { GitHub.edit(base.id, summary, from: base.summary) }
  var queue: String { "summary \(base.id)" }
  var repeats: ActionRepeats { .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Repository.self, base.id) { $0.summary = summary }
  }
  mutating func rebase(on newer: Repository) -> ActionOutcome? {
    newer.summary == summary ? .done : newer.summary == base.summary ? .send : nil
  }
}

nonisolated struct LabelRepository: StoreAction {
  static let name = "label-repository"
  var id: Int
  let label: String

  var request: Request<Void> { .put("/repositories/\(id)/labels/\(label)") }
  var queue: String { "labels \(id)" }
  var repeats: ActionRepeats { .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Repository.self, id) { $0.summary = label }
  }
  mutating func resolve(_ ids: CreatedIDs) { id = ids[Repository.self, id] }
}

/// The code of `CurlewStore.md`.
@Suite(.timeLimit(.minutes(1)))
struct StorePageTests {
  private nonisolated struct Starred: Screen {
    struct State: Equatable, Sendable {
      var starred = Loadable<[RepositoryRow]>.idle
      var problem: LoadFailure?
    }

    let store: Store

    var initial: State { State() }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      work.follow("starred", GitHub.starred, in: store, \.starred)
    }

    func handle(_ event: (id: Int, isOn: Bool), _ state: inout State, _ work: inout Work<State>) {
      let (id, isOn) = event
      work.perform(GitHub.star(id, isOn), in: store, queue: "star \(id)") { edit in
        edit.update(Repository.self, id) { $0.isStarred = isOn }
        edit.update(RepositoryRow.self, id) { $0.isStarred = isOn }
        if isOn { edit.insert(RepositoryRow.self, id, into: GitHub.starred) }
        if !isOn { edit.remove(RepositoryRow.self, id, from: GitHub.starred) }
        edit.invalidate(GitHub.starred)
      } finished: { state, result, _ in
        switch result {
        case .success, .failure(Client.Error.cancelled): break  // cancelled by a sign-out
        case .failure(let error): state.problem = LoadFailure(error)
        }
      }
    }
  }

  @Test func `a star shows everywhere`() {
    let stub = StubTransport()
    let row = #"{"id": 1, "name": "curlew", "isStarred": false}"#
    stub.stub(GitHub.list(nil), with: .json("[\(row)]"))
    stub.stub(
      GitHub.repository(1),
      with: .json(#"{"id": 1, "name": "curlew", "isStarred": false, "summary": "A bird."}"#))
    let marked = row.replacing("false", with: "true")
    stub.stub(GitHub.starredList, with: .json("[]"), .json("[\(marked)]"))
    let gate = stub.hold(GitHub.star(1, true))
    let github = Client.stubbed(by: stub) { $0.cache = .memory() }

    let store = Store(github)
    let list = Feed(source: store.source { key in GitHub.page(key) })
    let detail = Detail<Int, RepositoryRow, Repository>(source: store.source { GitHub.entry($0) })

    let (rows, page) = (ScreenProbe(list), ScreenProbe(detail))
    let starred = ScreenProbe(Starred(store: store))
    rows.send(.load)
    page.send(.show(1))
    starred.resume()
    #expect(starred.state.starred.latest == [])
    starred.send((1, true))
    rows.settle()
    page.settle()
    #expect(rows.state.items.map(\.isStarred) == [true])
    #expect(page.state.content.latest?.isStarred == true)
    gate.respond(with: .status(.noContent))
    starred.settle()
    #expect(starred.state.starred.latest?.map(\.isStarred) == [true])
  }

  private nonisolated struct Stars: Screen {
    struct State: Equatable, Sendable {
      var outbox: [OutboxItem] = []
      var problem: LoadFailure?
    }

    let store: Store

    var initial: State { State() }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      work.follow("outbox", store.outbox, \.outbox)
    }

    func handle(_ event: (id: Int, isOn: Bool), _ state: inout State, _ work: inout Work<State>) {
      let (id, isOn) = event
      work.perform(StarRepository(id: id, isOn: isOn), in: store) { state, result, _ in
        if case .failure(let error) = result { state.problem = LoadFailure(error) }
      }
    }
  }

  @Test func `a star is sent by a later process`() async {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/outbox")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    let stub = StubTransport()
    stub.stub(
      GitHub.star(1, true),
      with: .failure(Client.TransportFailure(.unreachable, reason: "a tunnel")))
    do {
      let github = Client.stubbed(by: stub)
      let store = Store(github, outbox: .file(at: file, actions: [StarRepository.self]))
      let screen = ScreenProbe(Stars(store: store))
      screen.send((1, true))
      #expect(screen.state.problem == nil)
      #expect(screen.state.outbox.map(\.action?.queue) == ["star 1"])
    }
    stub.stub(GitHub.star(1, true), with: .status(.noContent))
    let next = Store(
      Client.stubbed(by: stub), outbox: .file(at: file, actions: [StarRepository.self]))
    for await items in next.outbox.values where items.isEmpty { break }
    #expect(stub.requests.count == 2)
  }

  private nonisolated struct Summary: Screen {
    struct State: Equatable, Sendable {
      var repository = Loadable<Repository>.idle
      var outbox: [OutboxItem] = []
    }

    let store: Store

    var initial: State { State() }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      work.follow("repository", GitHub.entry(1), in: store, \.repository)
      work.follow("outbox", store.outbox, \.outbox)
    }

    func handle(_ summary: String, _ state: inout State, _ work: inout Work<State>) {
      guard let repository = state.repository.latest else { return }
      work.perform(EditSummary(base: repository, summary: summary), in: store)
    }
  }

  private enum Choice {
    case mine, theirs
    case edited(EditSummary)
  }

  private func decide(_ choice: Choice, about item: OutboxItem, in store: Store) throws {
    switch choice {
    case .mine: try store.decide(.send, for: item.id)
    case .theirs: try store.decide(.drop, for: item.id)
    case .edited(let action): try store.perform(action, replacing: item.id)
    }
  }

  @Test func `two users edit a summary`() throws {
    let stub = StubTransport()
    let json = { (summary: String) in
      StubResponse.json(
        #"{"id": 1, "name": "curlew", "isStarred": false, "summary": "\#(summary)"}"#)
    }
    stub.stub(GitHub.repository(1), with: json("A bird."), json("A wader."))
    stub.stub(.put, "/repositories/1/summary", with: .status(.conflict))
    let store = Store(
      Client.stubbed(by: stub),
      outbox: .memory(actions: [EditSummary.self, LabelRepository.self]))
    let screen = ScreenProbe(Summary(store: store))
    screen.resume()
    screen.send("A large bird.")
    screen.settle()
    let outbox = screen.state.outbox
    let state = outbox.first { $0.edits(RepositoryRow.self, 1) }?.state
    let count = outbox.count { !$0.needsDecision }
    let problems = outbox.filter(\.needsDecision)
    #expect(state == .conflict && count == 0 && problems.count == 1)
    let item = try #require(problems.first)
    var texts: [String] = []
    if let (mine, theirs) = item.conflict(of: EditSummary.self) {
      texts = [mine.summary, theirs.summary, mine.base.summary]
    }
    #expect(texts == ["A large bird.", "A wader.", "A bird."])
    #expect(screen.state.repository.latest?.summary == "A large bird.")
    try decide(.theirs, about: item, in: store)
    screen.settle()
    #expect(screen.state.repository.latest?.summary == "A wader.")
    #expect(screen.state.outbox == [])
  }
}
