import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The code of FromAlamofire.md, compiled and run.
@Suite("The page about migrating from Alamofire", .timeLimit(.minutes(1)))
struct FromAlamofirePageTests {
  nonisolated struct User: Codable, Equatable, Sendable {
    let id: Int
    let name: String
  }
  nonisolated struct Filter: Encodable {
    var labels: [String] = []
    var sort: String?
  }
  nonisolated struct Grant: Decodable, Sendable { let access: String, refresh: String }

  private let stub = StubTransport()
  private let client: Client

  init() { client = .stubbed(by: stub) }

  func user(_ id: Int) async throws -> User {
    try await client.send(.get("/users/\(id)"))
  }

  func users(_ filter: Filter) async throws -> [User] {
    try await client.send(.get("/users", query: try Query(encoding: filter)))
  }

  func rename(_ user: User) async throws -> User {
    try await client.send(.put("/users/\(user.id)", body: .json(user)))
  }

  @Test func `requests are sent`() async throws {
    let ann = User(id: 1, name: "Ann")
    stub.stub(.get, "/users/1", with: .json(#"{"id": 1, "name": "Ann"}"#))
    stub.stub(.put, "/users/1", with: .json(#"{"id": 1, "name": "Ann"}"#))
    stub.stub(.get, "/users", with: .json("[]"))
    #expect(try await user(1) == ann)
    #expect(try await rename(ann) == ann)
    #expect(try await users(Filter(labels: ["a", "b"])) == [])
    #expect(stub.requests.last?.url == "https://api.example.com/users?labels=a&labels=b")
  }

  @Test func `a token is refreshed`() async throws {
    let transport = stub
    stub.stub(.get, "/users/1", with: .status(.unauthorized), .json(#"{"id": 1, "name": "Ann"}"#))
    stub.stub(.post, "/token", with: .json(#"{"access": "a2", "refresh": "r2"}"#))
    let stored = BearerToken(access: Sensitive("a1"), refresh: Sensitive("r1"))
    let auth = Client(baseURL: "https://auth.example.com") { $0.transport = transport }
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = transport
      $0.middleware = [
        .retrying(attempts: 3),
        .bearer(stored) { old in
          let form: Query = ["refresh_token": old.refresh]
          let new = try await auth.send(Request<Grant>.post("/token", body: .form(form)))
          return BearerToken(access: Sensitive(new.access), refresh: Sensitive(new.refresh))
        },
      ]
    }
    let user: User = try await client.send(.get("/users/1"))
    #expect(user.name == "Ann")
    #expect(stub.requests.last?.head.headerFields[.authorization] == "Bearer a2")
  }

  func upload(_ photo: URL) async throws -> User {
    let form = RequestBody.multipart(["title": "Me", "photo": .file(photo)])
    return try await client.send(
      .post("/photos", body: form.onProgress { print($0.fraction ?? 0) }))
  }

  func download(to file: URL) async throws {
    _ = try await client.download(.get("/map"), to: file) { print($0.fraction ?? 0) }
  }

  @Test func `files are transferred`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    stub.stub(.get, "/map", with: .data(Data("map".utf8)))
    stub.stub(.post, "/photos", with: .json(#"{"id": 1, "name": "Ann"}"#))
    try await download(to: file)
    #expect(try await upload(file).id == 1)
  }

  func remove(_ id: Int) async -> String? {
    switch await client.result(of: Request<Void>.delete("/users/\(id)")) {
    case .success, .failure(.cancelled): nil
    case .failure(.status(let failure)) where failure.response.status == .notFound: nil
    case .failure(let error): error.localizedDescription
    }
  }

  @Test func `a missing user is removed`() async {
    stub.stub(.delete, "/users/*", with: .status(.notFound))
    #expect(await remove(1) == nil)
  }
}
