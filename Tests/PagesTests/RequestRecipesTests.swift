import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The recipes of Recipes.md for requests, compiled and run.
@Suite("The recipes for requests", .timeLimit(.minutes(1)))
struct RequestRecipesTests {
  nonisolated struct Note: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    let title: String
  }

  private let stub = StubTransport()
  private let api: Client

  init() { api = .stubbed(by: stub) { $0.cache = .memory() } }

  // MARK: Sending and decoding

  func note(_ id: Int) async throws -> Note {
    try await api.send(.get("/notes/\(id)"))
  }

  func notes(matching text: String, page: Int? = nil) async throws -> [Note] {
    try await api.send(.get("/notes", query: ["q": text, "page": page]))
  }

  func save(_ note: Note) async throws -> Note {
    try await api.send(.put("/notes/\(note.id)", body: .json(note)))
  }
  func delete(_ id: Int) async throws {
    try await api.send(Request<Void>.delete("/notes/\(id)"))
  }

  func noteIfThere(_ id: Int) async throws -> Note? {
    try await api.send(Request<Note?>.get("/notes/\(id)").returning(nil, for: .notFound))
  }

  @Test func `requests are sent and decoded`() async throws {
    let milk = Note(id: 7, title: "Milk")
    stub.stub(.get, "/notes/7", with: .json(#"{"id": 7, "title": "Milk"}"#))
    stub.stub(.put, "/notes/7", with: .json(#"{"id": 7, "title": "Milk"}"#))
    stub.stub(.delete, "/notes/7", with: .status(.noContent))
    stub.stub(.get, "/notes", with: .json(#"[{"id": 7, "title": "Milk"}]"#))
    stub.stub(.get, "/notes/8", with: .status(.notFound))
    #expect(try await note(7) == milk)
    #expect(try await save(milk) == milk)
    try await delete(7)
    #expect(try await notes(matching: "a&b") == [milk])
    #expect(stub.requests.last?.url == "https://api.example.com/notes?q=a%26b")
    #expect(try await noteIfThere(7) == milk)
    #expect(try await noteIfThere(8) == nil)
  }

  // MARK: Settings of a client

  private func settings() -> [Client] {
    let fields = Client(baseURL: "https://api.example.com") {
      $0.headerFields[.acceptLanguage] = "vi"
      $0.headerFields[.userAgent] = "Notes/2.1"
    }
    let keys = Client(baseURL: "https://api.example.com") {
      $0.middleware = [.bearer("token"), .apiKey("key", query: "api_key")]
    }
    let patient = Client(baseURL: "https://api.example.com") {
      $0.middleware = [.retrying(attempts: 4)]
    }
    let quick = Client(baseURL: "https://api.example.com") {
      $0.limits.connect = .seconds(5)
      $0.limits.total = .seconds(15)
    }
    let decoding = Client(baseURL: "https://api.example.com") {
      $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
      $0.jsonDecoder.dateDecodingStrategy = .iso8601
    }
    let cached = Client(baseURL: "https://api.example.com") {
      $0.cache = .memory()
    }
    return [fields, keys, patient, quick, decoding, cached]
  }

  static let report = Request<Data>.get("/report").limits { $0.total = .seconds(300) }
  static let payment = Request<Note>.post("/payments").retryable()

  @Test func `settings are sent and kept`() throws {
    let commands = try settings().map { try $0.curl(for: Self.report) }
    #expect(commands[0].contains("Accept-Language: vi") && commands[0].contains("Notes/2.1"))
  }

  // MARK: Errors

  nonisolated struct Refusal: Decodable, Sendable { let reason: String }

  func reason(_ id: Int) async -> String? {
    switch await api.result(of: Request<Note>.get("/notes/\(id)").errorBody(Refusal.self)) {
    case .success, .failure(.cancelled): nil
    case .failure(.status(let failure)): failure.body(as: Refusal.self)?.reason
    case .failure(let error): error.localizedDescription
    }
  }

  @Test func `the reason of the server is read`() async {
    stub.stub(
      .get, "/notes/9", with: .json(#"{"reason": "It is locked."}"#, status: .forbidden))
    #expect(await reason(9) == "It is locked.")
  }

  // MARK: Lists

  func goodNotes() async throws -> [Note] {
    let list = try await api.send(Request<LossyList<Note>>.get("/notes"))
    for failure in list.failures { print("left out:", failure) }
    return list.elements
  }

  func allTitles() async throws -> [String] {
    var titles: [String] = []
    for try await note in api.pages(of: Request<[Note]>.get("/notes"), limit: 20).items {
      titles.append(note.title)
    }
    return titles
  }

  @Test func `lists are read`() async throws {
    stub.stub(.get, "/notes", with: .json(#"[{"id": 7, "title": "Milk"}, {"id": "?"}]"#))
    #expect(try await goodNotes().map(\.title) == ["Milk"])
    stub.stub(.get, "/notes", with: .json(#"[{"id": 7, "title": "Milk"}]"#))
    #expect(try await allTitles() == ["Milk"])
  }

  // MARK: Files and streams

  func upload(_ photo: URL, title: String) async throws -> Note {
    let form = RequestBody.multipart(["title": title, "photo": .file(photo)])
    return try await api.send(
      .post("/photos", body: form.onProgress { print($0.fraction ?? 0) }))
  }

  func download(_ id: Int, to file: URL) async throws {
    _ = try await api.download(.get("/maps/\(id)"), to: file) { print($0.fraction ?? 0) }
  }

  func follow(show: (String) -> Void) async throws {
    let chat = Request<String>.post("/chat", body: .json(["question": "What is a curlew?"]))
    for try await event in api.events(chat) { show(event.data) }
  }

  @Test func `files and events are transferred`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    stub.stub(.get, "/maps/7", with: .data(Data("map".utf8)))
    stub.stub(.post, "/photos", with: .json(#"{"id": 1, "title": "Map"}"#))
    stub.stub(
      .post, "/chat",
      with: .data(Data("data: A bird.\n\n".utf8), contentType: "text/event-stream"))
    try await download(7, to: file)
    #expect(try await upload(file, title: "Map").id == 1)
    var shown: [String] = []
    try await follow { shown.append($0) }
    #expect(shown == ["A bird."])
  }

  // MARK: Stored responses, logs

  func notes(show: ([Note]) -> Void) async throws {
    let notes = Request<[Note]>.get("/notes")
    if let stored = try? await api.send(notes, cache: .cacheOnly) { show(stored) }
    show(try await api.send(notes))
  }

  private func logging() throws -> String {
    let api = Client(baseURL: "https://api.example.com") {
      $0.observers = [.calling { event in print(event) }]
    }
    print(try api.curl(for: Request<Note>.get("/notes/7")))
    return try api.curl(for: Request<Note>.get("/notes/7"))
  }

  @Test func `values are shown and requests printed`() async throws {
    stub.stub(.get, "/notes", with: .json("[]"))
    var shown: [[Note]] = []
    try await notes { shown.append($0) }
    #expect(shown == [[]])
    #expect(try logging().contains("https://api.example.com/notes/7"))
  }
}
