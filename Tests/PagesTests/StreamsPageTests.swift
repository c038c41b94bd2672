import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The code of `Streams.md`.
@Suite(.timeLimit(.minutes(1)))
struct StreamsPageTests {
  private let clock = TestClock()
  private let stub: StubTransport
  private let client: Client

  init() {
    stub = StubTransport(clock: clock)
    client = .stubbed(by: stub)
  }

  /// Advances the clock over the streams' reconnection waits while a body runs.
  private func passingTime(_ body: () async throws -> Void) async throws {
    let ended = Gate()
    let passing = Task { await clock.advance(by: .milliseconds(10), until: ended) }
    defer { ended.open() }
    try await body()
    passing.cancel()
  }

  private func stream(_ text: String, type: String = "text/event-stream") -> StubResponse {
    .data(Data(text.utf8), contentType: type)
  }

  // MARK: Bodies, downloads, uploads

  nonisolated struct Bodies {
    func size(_ client: Client) async throws(Client.Error) -> Int {
      var size = 0
      for try await chunk in try await client.stream(.get("/export")) { size += chunk.count }
      return size
    }

    func save(_ client: Client, to file: URL) async throws(Client.Error) -> Int64 {
      let saved = try await client.download(.get("/map"), to: file) { progress in
        print(progress.completed, progress.total ?? 0, progress.timeLeft ?? .zero)
      }
      return saved.size
    }

    static func upload(_ video: URL) -> Request<Void> {
      .put(
        "/video",
        body: .file(video, contentType: "video/mp4").onProgress { print($0.fraction ?? 0) })
    }
    static func measure(_ values: AsyncStream<Data>) -> Request<Void> {
      .post("/values", body: .stream(once: values))
    }
  }

  @Test func `bodies are read saved and sent`() async throws {
    stub.stub(.get, "/**", with: stream("abc", type: "text/plain"))
    stub.stub(.put, "/video", with: .status(.ok))
    stub.stub(.post, "/values", with: .status(.ok))
    #expect(try await Bodies().size(client) == 3)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await Bodies().save(client, to: file) == 3)
    try await client.send(Bodies.upload(file))
    let values = AsyncStream<Data> { continuation in
      continuation.yield(Data("1\n".utf8))
      continuation.finish()
    }
    try await client.send(Bodies.measure(values))
    #expect(stub.requests.suffix(2).map { $0.body?.data } == [Data("abc".utf8), Data("1\n".utf8)])
  }

  // MARK: Lines and JSON lines

  nonisolated struct Lines {
    func follow(_ client: Client, show: (String) -> Void) async throws(Client.Error) {
      for try await line in try await client.stream(.get("/log")).lines { show(line) }
    }
  }

  @Test func `lines are shown`() async throws {
    stub.stub(.get, "/log", with: stream("one\r\ntwo", type: "text/plain"))
    var lines: [String] = []
    try await Lines().follow(client) { lines.append($0) }
    #expect(lines == ["one", "two"])
  }

  nonisolated struct Entries {
    nonisolated struct Entry: Decodable, Sendable { let amount: Int }
    static let entries = Request<Entry>.get("/entries")

    func total(_ client: Client) async throws(Client.Error) -> Int {
      var total = 0
      for try await entry in client.jsonLines(Self.entries) { total += entry.amount }
      return total
    }

    func totalOfValid(_ client: Client) async throws(Client.Error) -> (Int, damaged: [Int]) {
      var (total, damaged) = (0, [Int]())
      for try await entry in client.jsonLines(Self.entries).results {
        switch entry {
        case .success(let entry): total += entry.amount
        case .failure(.decoding(let failure)): damaged.append(failure.line ?? 0)
        case .failure(let error): throw error
        }
      }
      return (total, damaged)
    }
  }

  @Test func `json lines are added up`() async throws {
    stub.stub(Entries.entries, with: stream("{\"amount\": 1}\n\n{\"amount\": 2}\n"))
    #expect(try await Entries().total(client) == 3)
    stub.stub(Entries.entries, with: stream("{\"amount\": 1}\n?\n{\"amount\": 2}\n"))
    let (total, damaged) = try await Entries().totalOfValid(client)
    #expect(total == 3 && damaged == [2])
    await #expect(throws: Client.Error.self) { try await Entries().total(client) }
  }

  // MARK: Server-sent events

  nonisolated struct News {
    static let news = Request<String>.get("/news")

    func follow(_ client: Client, show: (ServerSentEvent) -> Void) async throws(Client.Error) {
      for try await event in client.events(Self.news) { show(event) }
    }

    func follow(
      _ client: Client, from stored: String, save: (ServerSentEvent) -> Void
    ) async throws(Client.Error) {
      var policy = EventStreamPolicy()
      policy.lastEventID = stored
      policy.willReconnect = { error, wait in print("interrupted for \(wait): \(error)") }
      for try await event in client.events(Self.news, policy: policy) { save(event) }
    }
  }

  @Test func `events are shown`() async throws {
    stub.stub(News.news, with: stream("id: 1\ndata: a\n\n"), .status(.noContent))
    var events: [ServerSentEvent] = []
    try await passingTime { try await News().follow(client) { events.append($0) } }
    #expect(events == [ServerSentEvent(data: "a", id: "1")])
  }

  @Test func `a stream is resumed`() async throws {
    stub.stub(News.news, with: stream("id: 8\ndata: b\n\n"), .status(.noContent))
    var ids: [String] = []
    try await passingTime { try await News().follow(client, from: "7") { ids.append($0.id) } }
    let name = try #require(HTTPField.Name("Last-Event-ID"))
    #expect(ids == ["8"])
    #expect(stub.requests.map { $0.head.headerFields[name] } == ["7", "8"])
  }

  nonisolated struct Headlines {
    nonisolated struct Headline: Decodable, Sendable { let title: String }
    static let headlines = Request<Headline>.get("/headlines")

    func follow(_ client: Client, show: (Headline) -> Void) async throws(Client.Error) {
      for try await headline in client.events(Self.headlines).values { show(headline) }
    }
  }

  @Test func `values are shown`() async throws {
    stub.stub(
      Headlines.headlines, with: stream("data: {\"title\": \"Milk\"}\n\n"),
      .status(.noContent))
    var titles: [String] = []
    try await passingTime { try await Headlines().follow(client) { titles.append($0.title) } }
    #expect(titles == ["Milk"])
  }

  nonisolated struct Chat {
    nonisolated struct Chunk: Decodable, Sendable { let text: String }

    func ask(_ client: Client, _ question: String) async throws(Client.Error) -> String {
      var answer = ""
      let chat = Request<Chunk>.post("/chat", body: .json(["question": question]))
      let chunks = client.events(chat, until: { $0.data == "[DONE]" }).values
      for try await chunk in chunks { answer += chunk.text }
      return answer
    }
  }

  @Test func `a post is answered with events`() async throws {
    stub.stub(
      .post, "/chat",
      with: stream("data: {\"text\": \"Good \"}\n\ndata: {\"text\": \"day\"}\n\ndata: [DONE]\n\n"))
    #expect(try await Chat().ask(client, "Well?") == "Good day")
    #expect(stub.requests.count == 1)
  }
}
