import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// An app's code for three common tasks, to be compared with other libraries: 19, 4 and 3 lines without blank lines.
@Suite(.timeLimit(.minutes(1)))
struct FewLinesTests {
  // MARK: A GET with a token, retries, decoding and the API's own error

  nonisolated struct User: Decodable, Equatable, Sendable {
    let id: Int
    let name: String
  }
  nonisolated struct APIError: Error, Decodable, Equatable {
    let code: String
  }
  static func makeAPI(_ transport: some Transport) -> Client {
    Client(baseURL: "https://api.example") {
      $0.transport = transport
      $0.middleware = [.retrying(), .bearer("token")]
      $0.errorBody = APIError.self
    }
  }
  func user(_ id: Int, from api: Client) async throws -> User {
    do { return try await api.send(.get("/users/\(id)")) } catch Client.Error.status(let failure) {
      throw failure.body(as: APIError.self) ?? Client.Error.status(failure)
    }
  }

  // MARK: A multipart upload with progress

  func upload(_ photo: URL, named name: String, to api: Client) async throws -> User {
    let body = RequestBody.multipart(["name": name, "photo": .file(photo)])
    return try await api.send(.post("/photos", body: body.onProgress { print($0.fraction ?? 0) }))
  }

  // MARK: A download with progress that resumes

  func download(_ id: Int, to file: URL, from api: Client) async throws {
    _ = try await api.download(.get("/maps/\(id)"), to: file) { print($0.fraction ?? 0) }
  }

  // MARK: Tests of the three tasks

  @Test func `three tasks in few lines`() async throws {
    let stub = StubTransport()
    let api = Self.makeAPI(stub)
    stub.stub(.get, "/users/1", with: .json(#"{"id": 1, "name": "Ann"}"#))
    stub.stub(.get, "/users/2", with: .json(#"{"code": "gone"}"#, status: .gone))
    stub.stub(.post, "/photos", with: .json(#"{"id": 1, "name": "Ann"}"#))
    stub.stub(.get, "/maps/7", with: .json("map"))
    #expect(try await user(1, from: api) == User(id: 1, name: "Ann"))
    await #expect(throws: APIError(code: "gone")) { try await user(2, from: api) }
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try await download(7, to: file, from: api)
    #expect(try Data(contentsOf: file) == Data("map".utf8))
    _ = try await upload(file, named: "Ann", to: api)
    let sent = try #require(stub.requests.last?.body?.data)
    #expect(String(decoding: sent, as: UTF8.self).contains("map"))
  }
}
