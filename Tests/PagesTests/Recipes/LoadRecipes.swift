import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The recipes of Screens.md about loads and writes, compiled and run.
@Suite("The recipes about loads and writes", .timeLimit(.minutes(1)))
struct LoadRecipes {
  nonisolated struct Failed: Error {}

  // MARK: A then B

  nonisolated struct Profile: Screen {
    struct State: Equatable {
      var user: Loadable<String> = .idle
      var friends: Loadable<[String]> = .idle
    }

    let user: @Sendable () async throws -> String
    let friends: @Sendable (String) async throws -> [String]
    let initial = State()

    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
      work.latest("user") {
        try await user()
      } started: {
        $0.user.startLoading()
      } finished: { state, result, work in
        state.user.finishLoading(with: result)
        guard case .content(let user, _) = state.user else { return }
        work.latest("friends") {
          try await friends(user)
        } started: {
          $0.friends.startLoading()
        } finished: { state, result, _ in
          state.friends.finishLoading(with: result)
        }
      }
    }
  }

  @Test func `friends follow the user`() {
    let responses = PendingResponses<String, [String]>()
    let probe = ScreenProbe(
      Profile(user: { try await responses.next(for: "user")[0] }) {
        try await responses.next(for: $0)
      })
    probe.send(())
    responses.reply(.success(["Ada"]))
    probe.settle()
    #expect(responses.waiting == ["Ada"])
    responses.reply(.success(["Grace"]))
    probe.settle()
    #expect(probe.state == .init(user: .content("Ada"), friends: .content(["Grace"])))
    probe.send(())
    responses.reply(.failure(Failed()))
    probe.settle()
    #expect(responses.waiting.isEmpty)
  }

  // MARK: Parallel loads

  nonisolated struct Dashboard: Screen {
    let cities: [String]
    let temperature: @Sendable (String) async throws -> Int
    let initial: [String: Loadable<Int>] = [:]

    func handle(
      _ event: Void, _ state: inout [String: Loadable<Int>],
      _ work: inout Work<[String: Loadable<Int>]>
    ) {
      for city in cities {
        work.latest("temperature \(city)") {
          try await temperature(city)
        } started: {
          $0[city, default: .idle].startLoading()
        } finished: { state, result, _ in
          state[city, default: .idle].finishLoading(with: result)
        }
      }
    }
  }

  @Test func `each city has a result of its own`() {
    let responses = PendingResponses<String, Int>()
    let probe = ScreenProbe(
      Dashboard(cities: ["Oslo", "Rome", "Lima"]) { try await responses.next(for: $0) })
    probe.send(())
    #expect(responses.waiting == ["Oslo", "Rome", "Lima"])
    responses.reply(.success(30), to: 1)
    responses.reply(.failure(Failed()))
    probe.settle()
    #expect(probe.state["Rome"] == .content(30))
    #expect(probe.state["Oslo"]?.failure != nil)
    #expect(probe.state["Lima"]?.isLoading == true)
  }

  // MARK: Endless list

  nonisolated struct Post: Identifiable, Equatable {
    let id: Int
    var isLiked = false
  }

  nonisolated struct Posts: Screen {
    enum Event {
      case list(Feed<Post>.Event), filter(String), heart(Post.ID)
    }

    struct State: Equatable {
      var filter = ""
      var list = Feed<Post>.State()
    }

    let load: @Sendable (_ filter: String, _ page: Int) async throws -> Page<Post>
    let like: @Sendable (Post.ID, Bool) async throws -> Void
    let initial = State()
    var parts: [Part<State, Event>] { [Part(\.list, feed(of: ""), event: Event.list)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .list(let event): send(event, &state, &work)
      case .filter(let filter):
        state.filter = filter
        send(.sourceChanged, &state, &work)
      case .heart(let id):
        guard let isLiked = state.list[id].map({ !$0.isLiked }) else { return }
        work.write("heart \(id)") {
          try await like(id, isLiked)
        } started: { state in
          state.list.update(id, until: "heart \(id)") { $0.isLiked = isLiked }
        } finished: { state, result, _ in
          state.list.settle("heart \(id)", result)
        }
      }
    }

    private func feed(of filter: String) -> Feed<Post> {
      Feed { key in try await load(filter, key?.number ?? 1) }
    }

    private func send(
      _ event: Feed<Post>.Event, _ state: inout State, _ work: inout Work<State>
    ) {
      let feed = feed(of: state.filter)
      work.scope(\.list) { feed.handle(event, &state.list, &$0) }
    }
  }

  @Test func `hearts stay while pages come and go when they fail`() async {
    let pages = PendingResponses<String, Page<Post>>()
    let likes = PendingResponses<String, Void>()
    let probe = ScreenProbe(
      Posts(load: { try await pages.next(for: "\($0)\($1)") }) {
        try await likes.next(for: "\($0) \($1)")
      })
    probe.send(.list(.load))
    pages.reply(.success(Page([Post(id: 1), Post(id: 2)], number: 1, of: 2)))
    probe.settle()
    for id in [1, 2, 1, 7] { probe.send(.heart(id)) }
    #expect(likes.requested == ["1 true", "2 true"])
    #expect(probe.state.list.items.map(\.isLiked) == [false, true])
    let refresh = probe.send(.list(.refresh))
    pages.reply(.success(Page([Post(id: 2), Post(id: 1)], number: 1, of: 2)))
    probe.settle()
    await refresh.finished()
    #expect(probe.state.list.items.map(\.isLiked) == [true, false])
    likes.reply(.failure(Failed()), to: 1)
    likes.reply(.success(()))
    probe.settle()
    #expect(probe.state.list.items.map(\.isLiked) == [false, false])
    #expect(likes.waiting == ["1 false"])
    probe.send(.filter("x"))
    #expect(pages.waiting == ["x1"])
  }

  // MARK: Form

  nonisolated struct SignUp: Screen {
    enum Event { case name(String), submit }

    struct State: Equatable {
      var name = ""
      var isFree: Loadable<Bool> = .idle
      var account: Loadable<String> = .idle

      var canSubmit: Bool { isFree == .content(true) && !account.isLoading }
    }

    let isFree: @Sendable (String) async throws -> Bool
    let signUp: @Sendable (String) async throws -> String
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .name(let name):
        state.name = name
        state.isFree = .idle
        work.cancel("check")  // a check of the old name says nothing about the new one
        guard !name.isEmpty else { return }
        work.latest("check", after: .milliseconds(300)) {
          try await isFree(name)
        } started: {
          $0.isFree.startLoading()
        } finished: { state, result, _ in
          state.isFree.finishLoading(with: result)
        }
      case .submit:
        guard state.canSubmit else { return }
        work.write("sign up") { [name = state.name] in
          try await signUp(name)
        } started: {
          $0.account.startLoading()
        } finished: { state, result, _ in
          state.account.finishLoading(with: result)
        }
      }
    }
  }

  @Test func `name is checked before it is submitted`() {
    let checks = PendingResponses<String, Bool>()
    let accounts = PendingResponses<String, String>()
    let probe = ScreenProbe(
      SignUp(isFree: { try await checks.next(for: $0) }) { try await accounts.next(for: $0) })
    probe.send(.name("ada"))
    probe.advance(by: .milliseconds(300))
    probe.send(.name("adam"))
    checks.reply(.success(true))
    probe.settle()
    #expect(!probe.state.canSubmit, "another name was free")
    probe.send(.submit)
    probe.advance(by: .milliseconds(300))
    checks.reply(.success(true))
    probe.settle()
    probe.send(.submit)
    probe.send(.submit)
    #expect(accounts.requested == ["adam"])
    accounts.reply(.success("@adam"))
    probe.settle()
    #expect(probe.state.account == .content("@adam"))
    probe.send(.name(""))
    #expect(probe.state.isFree == .idle)
    #expect(probe.clock.sleepers == 0)
  }

  // MARK: Undoable delete

  nonisolated struct Inbox: Screen {
    enum Event { case delete(Post.ID), undo(Post.ID) }

    struct State: Equatable {
      var list: Feed<Post>.State
      var undoable: [Post.ID] = []
    }

    let posts: [Post]
    let delete: @Sendable (Post.ID) async throws -> Void
    var initial: State { State(list: .init(items: posts)) }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .delete(let id):
        state.list.remove(id, until: "delete \(id)")
        state.undoable.append(id)
        work.timer("undo \(id)", after: .seconds(5)) { state, work in
          state.undoable.removeAll { $0 == id }
          work.write("delete \(id)") {
            try await delete(id)
          } finished: { state, result, _ in
            state.list.settle("delete \(id)", result)
          }
        }
      case .undo(let id):
        work.cancel("undo \(id)")
        state.undoable.removeAll { $0 == id }
        state.list.rollBack("delete \(id)")
      }
    }
  }

  @Test func `deletion can be undone and comes back when it fails`() {
    let responses = PendingResponses<Int, Void>()
    let probe = ScreenProbe(
      Inbox(posts: [Post(id: 1), Post(id: 2), Post(id: 3)]) { try await responses.next(for: $0) })
    let shown = { probe.state.list.items.map(\.id) }
    for id in 1...3 { probe.send(.delete(id)) }
    #expect(shown() == [])
    probe.send(.undo(2))
    #expect(shown() == [2])
    probe.advance(by: .seconds(5))
    #expect(responses.waiting.sorted() == [1, 3])
    responses.reply(.failure(Failed()), to: responses.waiting.firstIndex(of: 3) ?? 0)
    responses.reply(.success(()))
    probe.settle()
    #expect(shown() == [2, 3])
    #expect(probe.state.undoable == [])
  }
}
