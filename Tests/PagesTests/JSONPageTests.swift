import Curlew
import CurlewJSON
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The code of `CurlewJSON.md`.
@Suite(.timeLimit(.minutes(1)))
struct JSONPageTests {
  private nonisolated struct Dog: Decodable, Equatable, Sendable {
    let firstName: String
    let bornAt: Date
  }

  @Test func `a client decodes with it`() async throws {
    let transport = StubTransport()
    transport.stub(.get, "/dogs", with: .json(#"[{"first_name": "Rex", "born_at": 0}]"#))
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    }
    let dogs = try await github.send(Request<[Dog]>.get("/dogs"))
    #expect(dogs.map(\.firstName) == ["Rex"])
    // Each configuration has its own decoder.
    _ = Client(baseURL: "https://api.github.com") {
      #expect($0.jsonDecoder is FastJSONDecoder)
      guard case .useDefaultKeys = $0.jsonDecoder.keyDecodingStrategy else {
        Issue.record("The strategy of another configuration")
        return
      }
    }
  }

  @Test func `comma before a closing bracket is accepted after going back`() async throws {
    let transport = StubTransport()
    transport.stub(.get, "/stars", with: .json("[1, 2,]"))
    let fast = Client(baseURL: "https://api.github.com") { $0.transport = transport }
    await #expect(throws: Client.Error.self) {
      try await fast.send(Request<[Int]>.get("/stars"))
    }
    for decoder in [JSONDecoder(), FastJSONDecoder()] {
      decoder.allowsJSON5 = decoder is FastJSONDecoder
      let client = Client(baseURL: "https://api.github.com") {
        $0.transport = transport
        $0.jsonDecoder = decoder
      }
      #expect(try await client.send(Request<[Int]>.get("/stars")) == [1, 2])
    }
  }

  @Test func `strategies are set`() throws {
    let data = Data(#"{"first_name": "Rex", "born_at": "1970-01-02T00:00:00Z"}"#.utf8)
    let decoder = FastJSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let dog = try decoder.decode(Dog.self, from: data)
    #expect(dog == Dog(firstName: "Rex", bornAt: Date(timeIntervalSince1970: 86_400)))
  }
}
