import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TraceTests {
  let recorder = TraceRecorder()
  let clock = TestClock(executor: TestExecutor())

  /// Runs a recorded screen, whose events and times come from a closure.
  private func record<S: Screen>(
    _ screen: S, _ body: (Runner<S>, (_ milliseconds: Int) -> Void) -> Void
  ) throws {
    let executor = try #require(clock.executor)
    let runner = Runner(
      screen, clock: clock, executor: .custom(executor), observer: recorder.observer())
    body(runner) { milliseconds in
      clock.advance(by: .milliseconds(milliseconds))
      executor.drain()
    }
  }

  /// The text without white space, which a formatter may change.
  private func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test func `a trace is printed as the test in another file`() throws {
    let found = PendingResponses<String, [String]>()
    try record(Search<String> { try await found.next(for: $0) }) { runner, wait in
      runner.send(.term("a"))
      wait(500)
      wait(30)
      runner.send(.term("ab"))
      wait(500)
      runner.suspend()
      wait(0)
      runner.resume()
      wait(20)
      found.reply(.success(["ab 1", "ab <#2#>"]), to: 2)
      wait(10)
      runner.send(.submit)
      wait(0)
      found.reply(.failure(TracedFailure()), to: 2)
      wait(0)
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "RecordedSearchTests.swift")
    let test = recorder.trace.swiftTest(
      screen: "recordedSearch { _ in try await searchResponses.next(for: ()) }")
    #expect(try words(String(contentsOf: file, encoding: .utf8)) == words(test), "\(test)")
  }

  @Test func `the printed test fails with a defect of the screen`() {
    for defect in RecordedSearch.Defect.allCases {
      withKnownIssue("\(defect)") {
        RecordedSearch.$defect.withValue(defect) { `Search<String> repeats its trace`() }
      }
    }
  }

  @Test func `a trace is the same after its file was read`() throws {
    try record(Search<String> { [$0] }) { runner, wait in
      runner.send(.term("a"))
      wait(500)
    }
    let file = URL.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.trace.write(to: file)
    #expect(try Trace(file) == recorder.trace)
    try Data("[]".utf8).write(to: file)
    #expect(throws: DecodingError.self) { try Trace(file) }
  }

  private struct SignIn: Screen {
    enum Event {
      case password(String)
      case account(name: String, apiKey: String, pin: Secret)
      case then(@Sendable () -> Void)
    }
    struct Secret {
      let value: String
    }
    struct State: Equatable {
      var password = ""
      var names: [String: Int] = [:]
    }
    var initial: State { State() }
    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      if case .password(let text) = event { state.password = text }
      state.names["a"] = 1
    }
  }

  @Test func `secrets are masked and other values are left out`() throws {
    try record(SignIn()) { runner, _ in
      runner.send(.password("sesame"))
      runner.send(.account(name: "ada", apiKey: "sesame", pin: SignIn.Secret(value: "1")))
      runner.send(.then {})
    }
    let test = recorder.trace.swiftTest(screen: "SignIn()")
    #expect(!test.contains("sesame"))
    for line in [
      #"probe.send(.password("***"))"#,
      #"probe.send(.account(name: "ada", apiKey: "***", pin: TraceTests.SignIn.Secret(value: "1")))"#,
      ##"#error("fill in: probe.send(.then(@Sendable () -> ()))")"##, #"password: "***""#,
      #"names["a"]: 1"#,
    ] { #expect(test.contains(line), "\(line) in \(test)") }
  }

  private struct Account: Screen {
    enum Field: Hashable { case name, password }
    struct Login: Encodable {
      enum CodingKeys: String, CodingKey { case password = "pw" }
      let password: String
    }
    enum Event {
      case change(Field, String)
      case send([Field: String])
      case changePassword(old: String, new: String)
      case fields([String: String])
      case wait(Duration, Int??)
      case load
    }
    struct State: Equatable {
      var texts: [Field: String] = [:]
    }
    var initial: State { State() }
    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .change(let field, let text): state.texts[field] = text
      case .load:
        work.latest("login") {
          Login(password: "sesame")
        } finished: { _, _, _ in
        }
      default: break
      }
    }
  }

  @Test func `secrets are masked by the field, the case and the key`() throws {
    try record(Account()) { runner, wait in
      runner.send(.change(.password, "sesame"))
      runner.send(.change(.name, "ada"))
      runner.send(.send([.password: "sesame", .name: "ada"]))
      runner.send(.changePassword(old: "sesame", new: "sesame"))
      runner.send(.fields(["Authorization": "Bearer sesame", "Accept": "text/html"]))
      runner.send(.wait(.seconds(Int64.max), .some(nil)))
      runner.send(.load)
      wait(0)
    }
    let test = recorder.trace.swiftTest(screen: "Account()")
    #expect(!test.contains("sesame"), "\(test)")
    for line in [
      #"probe.send(.change(.password, "***"))"#, #"probe.send(.change(.name, "ada"))"#,
      #"probe.send(.send([.name: "ada", .password: "***"]))"#,
      #"probe.send(.changePassword(old: "***", new: "***"))"#,
      #"probe.send(.fields(["Accept": "text/html", "Authorization": "***"]))"#,
      #"probe.send(.wait(.seconds(9223372036854775807), .some(nil)))"#,
      #"texts[.name]: "ada""#, #"texts[.password]: "***""#,
    ] { #expect(test.contains(line), "\(line) in \(test)") }
  }

  private struct Note: Codable, Equatable {
    let id: Int
    var token: String?
  }

  private struct Notes: Screen {
    let notes: [Note]
    var initial: [Note] { [] }
    func handle(_ event: Int, _ state: inout [Note], _ work: inout Work<[Note]>) {
      work.latest("page \(event)") { [notes] in
        notes
      } finished: { state, result, _ in
        state = (try? result.get()) ?? []
      }
    }
  }

  @Test func `structures that are encodable are JSON`() throws {
    try record(Notes(notes: [Note(id: 1, token: "sesame"), Note(id: 2)])) { runner, wait in
      runner.send(1)
      wait(0)
    }
    let test = recorder.trace.swiftTest()
    #expect(!test.contains("sesame"))
    for line in [
      "let pageResponses = PendingResponses<Void, [TraceTests.Note]>()",
      #"#error("fill in: let probe"#,
      ##"try pageResponses.reply(.success(decoded(#"[{"id":1,"token":"***"},{"id":2}]"#)))"##,
      "private func decoded<Value: Decodable>",
    ] { #expect(test.contains(line), "\(line) in \(test)") }
  }

  private struct Prices: Screen {
    let prices: PendingStreams<Int>
    var initial: [Int] { [] }
    func handle(_ event: String, _ state: inout [Int], _ work: inout Work<[Int]>) {
      work.follow("prices", { [prices] in prices.open() }) { state, price, _ in
        state.append(price)
      } ended: { state, result, _ in
        if case .failure = result { state.append(-1) }
      }
    }
  }

  @Test func `elements of a stream are yielded`() throws {
    let prices = PendingStreams<Int>()
    try record(Prices(prices: prices)) { runner, wait in
      runner.send("follow")
      wait(0)
      prices.yield(3)
      wait(1_000)
      prices.finish(throwing: CancellationError())
      wait(0)
      #expect(runner.state == [3, -1] && prices.opened == 1 && prices.active == 0)
    }
    let test = recorder.trace.swiftTest(screen: "Prices(prices: pricesStreams)")
    let expected = """
        let pricesStreams = PendingStreams<Int>()
        let probe = ScreenProbe(Prices(prices: pricesStreams))
        probe.send("follow")
        pricesStreams.yield(3)
        probe.settle()
        probe.advance(by: .milliseconds(1000))
        pricesStreams.finish(throwing: CancellationError())
        probe.settle()
        #expect(
          probe.stateText == #\"""
            [0]: 3
            [1]: -1
            \"""#)
      """
    #expect(test.contains(expected), "\(test)")
  }
}

private struct TracedFailure: LocalizedError {
  var errorDescription: String? { "It broke." }
}

/// A search in whose place a test can put one with a defect.
struct RecordedSearch: Screen {
  enum Defect: CaseIterable { case lostWhileLoading, itemsLostAfterFailure, resultNotChecked }
  @TaskLocal static var defect: Defect?

  let search: Search<String>
  let find: @Sendable (String) async throws -> [String]
  let defect = Self.defect
  var initial: Search<String>.State { search.initial }

  func handle(
    _ event: Search<String>.Event, _ state: inout Search<String>.State,
    _ work: inout Work<Search<String>.State>
  ) {
    if defect == .lostWhileLoading, state.isLoading { return }
    if defect == .resultNotChecked, event == .submit {
      return work.latest("again") { [find] in
        try await find("")
      } finished: { state, result, _ in
        state = Search.State(text: "ab", results: .content((try? result.get()) ?? []))
      }
    }
    search.handle(event, &state, &work)
  }

  func loads(in state: Search<String>.State) -> [LoadStatus<Search<String>.Event>] {
    search.loads(in: state)
  }

  func stateDidChange(
    _ state: inout Search<String>.State, _ work: inout Work<Search<String>.State>
  ) {
    if defect == .itemsLostAfterFailure, state.results.failure != nil, !state.items.isEmpty {
      state = Search.State(text: state.text)
    }
  }
}

func recordedSearch(
  _ find: @escaping @Sendable (String) async throws -> [String]
) -> RecordedSearch {
  RecordedSearch(search: Search { try await find($0) }, find: find)
}
