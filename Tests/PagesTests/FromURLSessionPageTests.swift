import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The code of FromURLSession.md, compiled and run.
@Suite("The page about migrating from URLSession", .timeLimit(.minutes(1)))
struct FromURLSessionPageTests {
  nonisolated struct Movie: Decodable, Equatable, Sendable { let title: String }
  nonisolated struct Draft: Encodable, Sendable { let title: String }

  nonisolated struct Movies: Sendable {
    var client = Client(baseURL: "https://movies.example.com") {
      $0.middleware = [.retrying()]
    }

    func movies(matching text: String) async throws(Client.Error) -> [Movie] {
      try await client.send(.get("/movies", query: ["q": text]))
    }
    func add(_ draft: Draft) async throws(Client.Error) -> Movie {
      try await client.send(.post("/movies", body: .json(draft)))
    }
  }

  @Test func `movies are tested without a network`() async throws {
    let stub = StubTransport()
    let movies = Movies(client: .stubbed(by: stub))
    stub.stub(.get, "/movies", with: .json(#"[{"title": "Alien"}]"#), .status(.badGateway))

    #expect(try await movies.movies(matching: "a b").map(\.title) == ["Alien"])
    #expect(stub.requests.last?.url == "https://api.example.com/movies?q=a%20b")
    let error = await #expect(throws: Client.Error.self) { try await movies.movies(matching: "a") }
    #expect(error?.isRetryable == true)
  }

  @Test func `a movie is added`() async throws {
    let stub = StubTransport()
    stub.stub(.post, "/movies", with: .json(#"{"title": "Alien"}"#))
    let movie = try await Movies(client: .stubbed(by: stub)).add(Draft(title: "Alien"))
    #expect(movie.title == "Alien")
    #expect(stub.requests.last?.head.headerFields[.contentType] == "application/json")
  }

  func lines(_ client: Client) async throws(Client.Error) -> Int {
    var count = 0
    for try await _ in try await client.stream(.get("/log")).lines { count += 1 }
    return count
  }

  @Test func `lines are read as they arrive`() async throws {
    let stub = StubTransport()
    stub.stub(.get, "/log", with: .data(Data("a\nb\n".utf8), contentType: "text/plain"))
    #expect(try await lines(.stubbed(by: stub)) == 2)
  }
}
