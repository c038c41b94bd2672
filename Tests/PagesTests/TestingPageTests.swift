import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewRecording
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The code of CurlewTesting.md, compiled and run.
@Suite("The page about testing", .timeLimit(.minutes(1)))
struct TestingPageTests {
  typealias Note = EndpointsPageTests.Note
  typealias Notes = EndpointsPageTests.Notes
  typealias API = EndpointsPageTests.API

  // MARK: Stubs

  @Test func `a list keeps its good entries`() async throws {
    let stub = StubTransport()
    let client = Client.stubbed(by: stub)
    stub.stub(Notes.list(page: 1), with: .json(#"[{"id": 7, "title": "Milk"}, {"id": "?"}]"#))
    stub.stub(.delete, "/notes/*", with: .status(.noContent), .status(.notFound))

    #expect(try await client.send(Notes.list(page: 1)).elements.map(\.title) == ["Milk"])
    try await client.send(API.delete("7"))
    await #expect(throws: Client.Error.self) { try await client.send(API.delete("7")) }
    #expect(stub.requests.last?.url == "https://api.example.com/notes/7")
  }

  @Test func `a sample responds to nothing stubs`() async throws {
    let milk = API.note("7").sample(.json(#"{"id": 7, "title": "Milk"}"#))
    #expect(try await Client.stubbed(by: StubTransport()).send(milk).title == "Milk")

    let stub = StubTransport()
    stub.stub(milk, with: .status(.notFound))
    await #expect(throws: Client.Error.self) { try await Client.stubbed(by: stub).send(milk) }
  }

  @Test func `what nothing stubs fails the test and is named`() async throws {
    let stub = StubTransport()
    stub.stub(API.note("7"), with: .status(.notFound))
    let said = Mutex<[String]>([])
    await withKnownIssue {
      let result = await Client.stubbed(by: stub).result(of: API.note("8"))
      guard case .failure(.invalidRequest) = result else { return }
      said.withLock { $0.append("invalidRequest") }
    } matching: { issue in
      said.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    let complaint = "No stub matches GET https://api.example.com/notes/8. Stubbed: GET /notes/7."
    #expect(said.withLock { $0 } == [complaint, "invalidRequest"])
    #expect(try DocumentationTests.page("CurlewTesting.md").contains("`\(complaint)`"))
  }

  // MARK: Time

  @Test func `a request is repeated when the server takes it again`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let client = Client.stubbed(by: stub) { $0.middleware = [.retrying()] }
    stub.stub(
      API.note("7"), with: .status(.tooManyRequests, [.retryAfter: "30"]),
      .json(#"{"id": 7, "title": "Milk"}"#))

    async let note = client.send(API.note("7"))
    await clock.waitForSleepers(2)  // the client's time limits, and the wait
    clock.advance(by: .seconds(31))  // Retry-After, and up to half a second of jitter
    #expect(try await note.title == "Milk")
    #expect(stub.requests.count == 2)
  }

  @Test func `middlewares go by the test's clock`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    stub.stub(API.note("7"), with: .status(.badGateway), .json(#"{"id": 7, "title": "Milk"}"#))
    let breaker = CircuitBreaker(threshold: 1)
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.circuitBreaker(breaker)] }

    await #expect(throws: Client.Error.self) { try await client.send(API.note("7")) }
    #expect(breaker.status(of: "api.example.com") == .open(remaining: .seconds(30)))
    clock.advance(by: .seconds(30))
    #expect(try await client.send(API.note("7")).title == "Milk")
  }

  @Test func `a rate budget waits on the test's clock`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let budget = RateBudget()
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.retrying()]
      $0.networkMiddleware = [.rateBudget(budget)]
    }
    stub.stub(
      API.note("7"), with: .status(.tooManyRequests, [.retryAfter: "30"]),
      .json(#"{"id": 7, "title": "Milk"}"#))
    async let note = client.send(API.note("7"))
    await clock.waitForSleepers(2)
    #expect(budget.pauses.map(\.remaining) == [.seconds(30)])
    clock.advance(by: .seconds(31))
    #expect(try await note.title == "Milk")
  }

  @Test func `a limit passes before the response comes`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let client = Client.stubbed(by: stub) { $0.limits.total = .seconds(10) }
    stub.stub(API.note("7"), with: .json("{}").after(.seconds(20)))

    let task = Task { try await client.send(API.note("7")) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(10))  // to the limit, but not to the response
    let error = await #expect(throws: Client.Error.self) { try await task.value }
    let said = "The server took too long to respond. Try again in a moment."
    #expect(error?.localizedDescription == said)
  }

  // MARK: Faults

  @Test func `a note that breaks off is asked for again`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let client = Client.stubbed(by: stub) { $0.middleware = [.retrying()] }
    let milk = StubResponse.json(#"{"id": 7, "title": "Milk"}"#)
    stub.stub(API.note("7"), with: milk.cut(after: 4), milk.after(.seconds(3)))

    async let note = client.send(API.note("7"))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))  // the jitter of the first retry
    await stub.waitForRequests(2)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3))
    #expect(try await note.title == "Milk")
  }

  // MARK: Order

  @Test func `the second response comes before the first`() async throws {
    let stub = StubTransport()
    let client = Client.stubbed(by: stub)
    let gate = stub.hold(.get, "/notes")

    async let first = client.send(Notes.found("m", page: 1))
    await gate.waitForRequests(1)
    async let second = client.send(Notes.found("milk", page: 1))
    await gate.waitForRequests(2)
    gate.respondToNewest(with: .json(#"[{"id": 7, "title": "Milk"}]"#))
    #expect(try await second.elements.count == 1)
    gate.respond(with: .json("[]"))
    #expect(try await first.elements.isEmpty)
  }

  // MARK: Sockets

  @Test func `a cut response is an error on the wire`() async throws {
    try await withFaultServer { server in
      let client = Client(baseURL: server.baseURL) { $0.transport = .asyncHTTPClient }
      server.stub(API.note("7"), with: .json(#"{"id": 7, "title": "Milk"}"#).with(.cut(after: 4)))

      let error = await #expect(throws: Client.Error.self) {
        try await client.send(API.note("7"))
      }
      #expect(error?.isRetryable == true)
      #expect(server.requests.map(\.line) == ["GET /notes/7 HTTP/1.1"])
    }
  }

  @Test func `a recording responds`() async throws {
    let response = Sample.json(#"{"id": 7, "title": "Milk"}"#)
    let har = HAR(entries: [HAR.Entry(.get, "https://api.example.com/notes/7", response: response)])
    let client = Client(baseURL: "https://api.example.com") { $0.transport = .har(har) }
    #expect(try await client.send(API.note("7")).title == "Milk")
  }

  // MARK: Screens

  @Test func `a late response changes nothing`() {
    let (milk, mint) = (Note(id: 7, title: "Milk"), Note(id: 8, title: "Mint"))

    let responses = PendingResponses<String, [Note]>()
    let probe = ScreenProbe(Search<Note> { try await responses.next(for: $0) })
    probe.send(.term("m"))
    probe.advance(by: .milliseconds(500))  // the debounce of `Search`
    probe.send(.term("milk"))
    probe.advance(by: .milliseconds(500))
    #expect(responses.waiting == ["m", "milk"])
    responses.reply(.success([milk]), to: 1)
    probe.settle()
    responses.reply(.success([milk, mint]))
    probe.settle()
    #expect(probe.state.items == [milk])
    #expect(!probe.states.contains { $0.items == [milk, mint] })
  }
}
