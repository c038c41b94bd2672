import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The code of Endpoints.md, compiled and run.
@Suite("The page about endpoints and errors", .timeLimit(.minutes(1)))
struct EndpointsPageTests {
  nonisolated struct Note: Decodable, Equatable, Sendable {
    let id: Int
    let title: String
  }

  nonisolated enum Notes: Endpoint {
    case list(page: Int), found(String, page: Int)

    var request: Request<LossyList<Note>> {
      switch self {
      case .list(let page): list(["page": page])
      case .found(let text, let page): list(["page": page, "q": text])
      }
    }

    private func list(_ query: Query) -> Request<LossyList<Note>> {
      .get("/notes", query: query + ["per_page": 50]).limits { $0.total = .seconds(20) }
    }
  }

  nonisolated struct Draft: Encodable, Sendable { let title: String }

  nonisolated enum API {
    static let trace = HTTPField.Name("X-Trace")!

    static func note(_ id: String) -> Request<Note> { .get("/notes/\(id)") }
    static func delete(_ id: String) -> Request<Void> { .delete("/notes/\(id)") }
    static func file(_ path: String) -> Request<Data> { .get("/files/\(raw: path)") }
    static func add(_ draft: Draft, trace id: String) -> Request<Note> {
      .post("/notes", headerFields: [trace: id], body: .json(draft))
    }
    static let export = Request<String>.get("/export").limits { $0.total = .seconds(300) }
  }

  nonisolated struct MoviePage: Decodable, Sendable {}

  nonisolated enum MovieList: String, Endpoint {
    case nowPlaying = "now_playing"
    case topRated = "top_rated"
    var request: Request<MoviePage> {
      .get("/3/movie/\(rawValue)", query: ["api_key": Sensitive("secret")])  // in no log or error
    }
  }

  @Test func `a secret query item is not shown`() {
    #expect(!"\(MovieList.topRated.request.query)".contains("secret"))
  }

  let clock = TestClock()
  let stub: StubTransport
  let client: Client

  init() {
    stub = StubTransport(clock: clock)
    client = .stubbed(by: stub) { $0.middleware = [.retrying()] }
  }

  // MARK: Queries, URLs, pages

  nonisolated enum Sort: String, QueryValue, Encodable { case created, updated }

  nonisolated struct Filter: Encodable {
    var labels: [String] = []
    var sort: Sort?
    var since: Date?
  }

  @Test func `a value is a query`() throws {
    let date = Date(timeIntervalSince1970: 1_795_367_100)
    let filter = Filter(labels: ["bug", "help"], sort: .updated, since: date)
    let query = try Query(encoding: filter, dates: .secondsSince1970) + ["page": 2]
    let literal: Query = ["sort": Sort.created, "since": date]
    #expect(query.encoded == "labels=bug&labels=help&since=1795367100&sort=updated&page=2")
    #expect(literal.encoded == "sort=created&since=2026-11-22T17%3A05%3A00Z")
  }

  @Test func `a link is sent as it is without the token`() async throws {
    let link = "https://files.example.com/a%2Fb?X-Amz-Signature=5ec4e7"
    let bytes = Data("abc".utf8)
    let report = Request<Data>.get(.url(try URLReference(link)))
    let upload = Request<Void>.put(.url(try URLReference(link)), body: .data(bytes))
    let client = Client.stubbed(by: stub) { $0.middleware = [.bearer("token")] }
    stub.stub(report, with: .data(bytes))
    stub.stub(upload, with: .status(.ok))
    #expect(try await client.send(report) == bytes)
    try await client.send(upload)
    #expect(stub.requests.map(\.url) == [link, link])
    #expect(stub.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
    #expect(stub.requests.allSatisfy { !$0.description.contains("5ec4e7") })
  }

  func titles() async throws(Client.Error) -> [String] {
    var titles: [String] = []
    for try await note in client.pages(of: Notes.list(page: 1)).items(\.elements) {
      titles.append(note.title)
    }
    return titles
  }

  @Test func `pages are read one by one`() async throws {
    let link = try #require(HTTPField.Name("Link"))
    let notes = Data(#"[{"id": 7, "title": "Milk"}, {"id": 8, "title": "Eggs"}]"#.utf8)
    stub.stub(
      Notes.list(page: 1),
      with: .sample(Sample(headerFields: [link: "</notes?page=2>; rel=next"], body: notes)))
    stub.stub(
      Request<Data>.get("/notes", query: ["page": 2]), with: .json(#"[{"id": 9, "title": "Tea"}]"#))
    #expect(try await titles() == ["Milk", "Eggs", "Tea"])
  }

  nonisolated struct Found: Decodable, Sendable {
    let notes: [Note]
    let cursor: String?

    static func notes(after cursor: String? = nil) -> Request<Found> {
      .get("/search", query: ["cursor": cursor])
    }
  }

  @Test func `a cursor leads to the next page`() async throws {
    stub.stub(
      Found.notes(), with: .json(#"{"notes": [{"id": 7, "title": "Milk"}], "cursor": "x"}"#))
    stub.stub(Found.notes(after: "x"), with: .json(#"{"notes": []}"#))
    let pages = client.pages(of: Found.notes(), limit: 10) { page in
      page.value.cursor.map { Found.notes(after: $0) }
    }
    var counts: [Int] = []
    for try await page in pages { counts.append(page.value.notes.count) }
    #expect(counts == [1, 0])
  }

  // MARK: Endpoints

  @Test func `an enum is an endpoint for each of its cases`() async throws {
    let json = #"[{"id": 7, "title": "Milk"}, {"id": "?"}]"#
    stub.stub(.get, "/notes", with: .json(json), .json("[]"))
    let notes = try await client.send(Notes.list(page: 2))
    for note in notes.elements { #expect(note == Note(id: 7, title: "Milk")) }
    #expect(notes.elements.count == 1)
    #expect(notes.failures.map(\.index) == [1])
    _ = try await client.send(Notes.found("milk & eggs", page: 1))
    #expect(
      stub.requests.map(\.head.path) == [
        "/notes?page=2&per_page=50", "/notes?page=1&q=milk%20%26%20eggs&per_page=50",
      ])
    #expect(stub.requests.map(\.limits.total) == [.seconds(20), .seconds(20)])
  }

  nonisolated struct Invalid: Decodable, Sendable { let fields: [String] }

  func invalidFields(of draft: Draft) async throws -> [String] {
    do {
      _ = try await client.send(API.add(draft, trace: "2").errorBody(Invalid.self))
      return []
    } catch Client.Error.status(let failure) {
      return failure.body(as: Invalid.self)?.fields ?? []
    }
  }

  @Test func `other statuses and error bodies are read`() async throws {
    let maybe: Request<Note?> = .get("/notes/9").returning(nil, for: .notFound)
    let login = Request<Void>.post("/login", body: .form(["user": "ann"])).redirects(.doNotFollow)
    stub.stub(.get, "/notes/9", with: .status(.notFound))
    stub.stub(.post, "/login", with: .status(.seeOther, [.location: "/", .setCookie: "a=b"]))
    stub.stub(
      .post, "/notes", with: .json(#"{"fields": ["title"]}"#, status: .unprocessableContent))
    #expect(try await client.send(maybe) == nil)
    let response = try await client.response(for: login)
    #expect(response.head.status == .seeOther && response.head.headerFields[.setCookie] == "a=b")
    #expect(try await invalidFields(of: Draft(title: "")) == ["title"])
  }

  @Test func `requests are what their functions say`() async throws {
    let draft = Draft(title: "Milk")
    stub.stub(.post, "/notes", with: .json(#"{"id": 7, "title": "Milk"}"#))
    stub.stub(.get, "/files/**", with: .data(Data("abc".utf8)))
    stub.stub(.get, "/notes/*", with: .json(#"{"id": 8, "title": "a/b"}"#))
    stub.stub(.delete, "/notes/*", with: .json("ignored"))
    stub.stub(.get, "/export", with: .json(#""Milk""#))

    let added = try await client.send(API.add(draft, trace: "1"))
    #expect(added == Note(id: 7, title: "Milk"))
    #expect(try await client.send(API.file("a b/c")) == Data("abc".utf8))
    #expect(try await client.send(API.note("a/b")).id == 8)
    try await client.send(API.delete("8"))
    #expect(try await client.send(API.export) == #""Milk""#)
    #expect(
      stub.requests.map(\.head.path) == [
        "/notes", "/files/a%20b/c", "/notes/a%2Fb", "/notes/8", "/export",
      ])
    let post = try #require(stub.requests.first)
    #expect(post.head.headerFields[API.trace] == "1")
    #expect(post.head.headerFields[.contentType] == "application/json")
    #expect(post.body?.data == Data(#"{"title":"Milk"}"#.utf8))
    #expect(stub.requests.last?.limits.total == .seconds(300))
  }

  // MARK: Forms with files

  func upload(
    _ photo: URL, title: String, show: @escaping @Sendable (Double?) -> Void
  ) -> Request<Note> {
    .post(
      "/photos",
      body: .multipart(["title": title, "tags": ["red", "round"], "photo": .file(photo)])
        .onProgress { show($0.fraction) })
  }

  @Test func `a form may have files`() async throws {
    let photo = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try Data("jpeg".utf8).write(to: photo)
    defer { try? FileManager.default.removeItem(at: photo) }
    stub.stub(.post, "/photos", with: .json(#"{"id": 7, "title": "Milk"}"#))
    let shown = Log()
    let note = try await client.send(
      upload(photo, title: "Milk") { shown.add("\($0 ?? -1)") })
    #expect(note.id == 7)
    #expect(shown.lines.last == "1.0")
    let sent = String(decoding: stub.requests.last?.body?.data ?? Data(), as: UTF8.self)
    let names = sent.matches(of: /form-data; name="(.*?)"/).map { String($0.1) }
    #expect(names == ["title", "tags", "tags", "photo"])
    #expect(sent.contains(".jpg\"\r\nContent-Type: image/jpeg\r\n\r\njpeg\r\n--"))
  }

  @Test func `a form is built part by part`() async throws {
    let draft = Draft(title: "Milk")
    let pages = ["1.tiff", "2.tiff"].map { URL(filePath: "/pages/\($0)") }
    let signature = Data("png".utf8)

    var form: MultipartForm = ["note": .json(draft)]
    for page in pages { form.add("pages", .file(page, contentType: "image/tiff")) }
    form.add("signature", .data(signature, fileName: "signature.png"))

    #expect("\(form)" == #"["note", "pages", "pages", "signature"]"#)
    let result = await client.result(of: Request<Void>.post("/forms", body: .multipart(form)))
    guard case .failure(.file(let failure)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.kind == .notFound && failure.path == "/pages/1.tiff")
  }

  @Test(arguments: ["", ".", ".."]) func `a value that is no segment is refused`(id: String) async {
    guard case .failure(.invalidRequest) = await client.result(of: API.note(id)) else {
      Issue.record("It was sent.")
      return
    }
    #expect(stub.requests.isEmpty)
  }

  @Test func `a repeatable post is sent again`() async throws {
    let draft = Draft(title: "Milk")
    stub.stub(
      .post, "/notes", with: .status(.serviceUnavailable), .status(.serviceUnavailable),
      .json(#"{"id": 7, "title": "Milk"}"#))
    let once = await client.result(of: API.add(draft, trace: "1"))
    #expect(throws: Client.Error.self) { try once.get() }
    #expect(stub.requests.count == 1)

    let add = API.add(draft, trace: "1").retryable()  // the server detects duplicates by the trace
    let next = API.note("8").prefetch()  // the user is not waiting for it yet

    async let added = client.send(add)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    #expect(try await added.id == 7)
    #expect(stub.requests.count == 3)

    stub.stub(next, with: .json(#"{"id": 8, "title": "Eggs"}"#))
    #expect(try await client.send(next).title == "Eggs")
  }

  @Test func `a string is the text and an empty body is nil`() async throws {
    stub.stub(.get, "/version", with: .json(#""1.2""#))
    #expect(try await client.send(Request<String>.get("/version")) == #""1.2""#)
    stub.stub(.get, "/notes/pinned", with: .status(.noContent))
    #expect(try await client.send(Request<Note?>.get("/notes/pinned")) == nil)
  }

  @Test func `a decoding may look at the head`() async throws {
    let version = Request<String>(.get, "/version", decoding: .json)
    let pinned = Request<Note?>(
      .get, "/notes/pinned",
      decoding: ResponseDecoding { data, head, decoder in
        try head.status == .noContent ? nil : decoder.decode(Note.self, from: data)
      })

    stub.stub(version, with: .json(#""1.2""#))
    #expect(try await client.send(version) == "1.2")
    stub.stub(pinned, with: .status(.noContent), .json(#"{"id": 7, "title": "Milk"}"#), .json("7"))
    #expect(try await client.send(pinned) == nil)
    #expect(try await client.send(pinned)?.id == 7)
    guard case .failure(.decoding) = await client.result(of: pinned) else {
      Issue.record("What a decoding throws is another error.")
      return
    }
  }

  @Test func `a base URL from outside is checked`() throws {
    func client(for text: String) throws -> Client {
      Client(baseURL: try BaseURL(text))
    }

    #expect(
      try client(for: "https://example.com/v1/").baseURL.description == "https://example.com/v1")
    let error = #expect(throws: URLParsingError.self) { try client(for: "example.com") }
    #expect(error?.reason == "it must begin with http:// or https://")
  }
}
