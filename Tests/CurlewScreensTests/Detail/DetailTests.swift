import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The details of one thing: a part that is known at once, and the rest when it is loaded.
@Suite(.timeLimit(.minutes(1)))
struct DetailTests {
  typealias Screen = Detail<Int, String, Entry>

  let things = PendingResponses<Int, Entry?>()
  let probe: ScreenProbe<Screen>

  init() {
    let things = things
    probe = ScreenProbe(
      Detail(known: { $0 < 10 ? "known \($0)" : nil }) { try await things.next(for: $0) })
  }

  func reply(_ thing: Entry?, to index: Int = 0) {
    things.reply(.success(thing), to: index)
    probe.settle()
  }

  func fail(at index: Int = 0) {
    things.reply(.failure(Broken()), to: index)
    probe.settle()
  }

  @Test func `what is known is shown at once and the rest is loaded`() {
    probe.send(.show(1))
    #expect(probe.state.id == 1)
    #expect(probe.state.known == "known 1")
    #expect(probe.state.content == .loading(last: nil))
    #expect(probe.states.count == 2)
    #expect(things.requested == [1])
    reply(Entry(1, "all of it"))
    #expect(probe.state.content == .content(Entry(1, "all of it")))
    #expect(probe.state.known == "known 1")
    #expect(!probe.runner.isWorking)
  }

  @Test func `the latest is what is loaded or else what was known`() {
    typealias State = Detail<Int, Entry, Entry>.State
    let (known, loaded) = (Entry(1, "known"), Entry(1, "all of it"))
    #expect(State().latest == nil)
    #expect(State(id: 1, known: known, content: .loading(last: nil)).latest == known)
    #expect(State(id: 1, known: known, content: .content(loaded)).latest == loaded)
    #expect(State(id: 1, known: known, content: .empty).latest == nil, "it is gone")
    let failure = LoadFailure(Broken())
    #expect(State(id: 1, known: known, content: .failed(failure, last: nil)).latest == known)
  }

  @Test func `thing that is not there is empty and no error`() {
    probe.send(.show(1))
    reply(nil)
    #expect(probe.state.content == .empty)
    #expect(probe.state.id == 1)
  }

  @Test func `failure is retried`() {
    probe.send(.show(1))
    fail()
    #expect(probe.state.content.textOnly == .failed(.broken, last: nil))
    #expect(probe.state.known == "known 1")
    probe.send(.retry)
    #expect(probe.state.content == .loading(last: nil))
    #expect(things.requested == [1, 1])
    reply(1)
    #expect(probe.state.content == .content(1))
  }

  @Test func `a failed detail whose view returns tries again`() {
    probe.send(.show(1))
    fail()
    probe.send(.show(1))
    #expect(probe.state.content.isLoading && things.requested == [1, 1])
    reply(1)
    probe.send(.refresh)
    fail()
    let sent = probe.send(.show(1))
    #expect(probe.state.content == .loading(last: 1) && !sent.isFinished, "keeps what is shown")
    reply(1)
    #expect(probe.state.content == .content(1))
  }

  @Test func `retry of what did not fail does nothing`() {
    probe.send(.retry)
    probe.send(.refresh)
    #expect(things.requested == [])
    probe.send(.show(1))
    probe.send(.retry)
    probe.send(.refresh)
    probe.send(.show(1))
    reply(1)
    probe.send(.retry)
    probe.send(.show(1))
    #expect(things.requested == [1])
  }

  @Test func `another thing replaces the one in flight`() {
    probe.send(.show(1))
    probe.send(.show(2))
    #expect(things.active == [2])
    #expect(probe.mostRunning == 1)
    #expect(probe.state.known == "known 2")
    reply(2, to: 1)
    let states = probe.states
    reply(1)
    #expect(probe.states == states)
    #expect(probe.state.content == .content(2))
  }

  @Test func `another thing shows nothing of the one before`() {
    probe.send(.show(1))
    reply(1)
    probe.send(.show(12))
    #expect(probe.state.known == nil)
    #expect(probe.state.content == .loading(last: nil))
    reply(12)
    #expect(probe.state.content == .content(12))
  }

  @Test func `refresh keeps the content until the response`() {
    probe.send(.show(1))
    reply(Entry(1, "old"))
    probe.send(.refresh)
    #expect(probe.state.content == .loading(last: Entry(1, "old")))
    fail()
    #expect(probe.state.content.textOnly == .failed(.broken, last: Entry(1, "old")))
    probe.send(.refresh)
    reply(Entry(1, "new"))
    #expect(probe.state.content == .content(Entry(1, "new")))
  }
}
