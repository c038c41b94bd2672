import Curlew
import CurlewJSON
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// What `Documentation/JSON.md` shows.
@Suite(.timeLimit(.minutes(1)))
struct JSONPageTests {
  private struct Dog: Decodable, Equatable, Sendable {
    let firstName: String
    let bornAt: Date
  }

  @Test func aClientDecodesWithIt() async throws {
    let transport = StubTransport()
    transport.stub(.get, "/stars", with: .json("[1, 2]"))
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.jsonDecoder = FastJSONDecoder()
    }
    #expect(try await github.send(Request<[Int]>.get("/stars")) == [1, 2])
  }

  @Test func strategiesAreSet() throws {
    let data = Data(#"{"first_name": "Rex", "born_at": "1970-01-02T00:00:00Z"}"#.utf8)
    let decoder = FastJSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let dog = try decoder.decode(Dog.self, from: data)
    #expect(dog == Dog(firstName: "Rex", bornAt: Date(timeIntervalSince1970: 86_400)))
  }
}
