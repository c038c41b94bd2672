import Curlew
import CurlewAsyncHTTPClient
import Domain
import HTTPTypes
import Testing
import showcase

/// The web server's behavior apart from rendering pages, over a real socket.
@Suite(.timeLimit(.minutes(1)))
struct PageServerTests {
  @Test func `each request to a page is a line in the log`() async throws {
    let lines = LogLines()
    _ = try await response(to: .get, "/dogs", query: ["token": "hunter2"], log: lines.log)
    _ = try await response(to: .get, "/nowhere/\("a\nb\u{1B}[31m")", log: lines.log)
    let all = lines.timeless
    #expect(all.count == 2)
    let found = #/page GET /dogs\?token=\*\*\* 200 in \d+\.\d{3} s, [0-9.]+ kB/#
    #expect(all.first?.wholeMatch(of: found) != nil, "\(all)")
    let missing = #/page GET /nowhere/a%0Ab%1B%5B31m 404 in \d+\.\d{3} s, [0-9.]+ kB/#
    #expect(all.last?.wholeMatch(of: missing) != nil, "\(all)")
  }

  /// Serves the pages, sends a request with a host, and returns the error response.
  private func ask(
    _ method: HTTPRequest.Method, _ path: Path, host: String? = nil
  ) async throws -> Client.StatusFailure? {
    let result = try await response(to: method, path, host: host)
    if case .failure(.status(let failure)) = result { return failure }
    _ = try result.get()
    return nil
  }

  private func response(
    to method: HTTPRequest.Method, _ path: Path, query: Curlew.Query = [:], host: String? = nil,
    log: Log = .silent
  ) async throws -> Result<String, Client.Error> {
    let server = PageServer(
      DataSources(all: TwoOfEach(isEmpty: true, isSparse: true, asOf: nil)), log: log)
    try await server.start()
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(await server.port)")) {
      $0.transport = .asyncHTTPClient
      $0.limits.redirects = 0
    }
    var fields = HTTPFields()
    if let host, let name = HTTPField.Name("Host") { fields[name] = host }
    var request = Request<String>.get(path, query: query)
    (request.method, request.headerFields) = (method, fields)
    let result = await client.result(of: request)
    await server.stop()
    return result
  }

  @Test(arguments: ["/repositories", "/movies/top-rated"])
  func `page after the last says so and leads to the first`(path: String) async throws {
    let page = try await response(
      to: .get, "\(raw: path)", query: ["language": "de-DE", "page": 12]
    ).get()
    #expect(page.contains("This page is past the end of the list."))
    #expect(page.contains(#"<a class="button" href="\#(path)?language=de-DE""#))
    let first = try await response(to: .get, "\(raw: path)", query: ["language": "de-DE"]).get()
    #expect(!first.contains("The list ends"))
  }

  @Test(arguments: ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
  func `another hosts name is refused`(host: String) async throws {
    let failure = try await ask(.get, "/issues", host: host)
    #expect(failure?.response.status == .misdirectedRequest)
  }

  @Test(arguments: ["localhost", "localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST"])
  func `this machines names are served`(host: String) async throws {
    let failure = try await ask(.get, "/issues", host: host)
    #expect(failure == nil)
  }

  @Test func `address that leads nowhere has a page`() async throws {
    let failure = try #require(try await ask(.get, "/nope"))
    #expect(failure.response.status == .notFound)
    #expect(String(decoding: failure.body, as: UTF8.self).contains("Page not found"))
    #expect(failure.response.headerFields[.contentSecurityPolicy] != nil)
  }

  @Test func `head of an address that leads nowhere has no body`() async throws {
    let failure = try #require(try await ask(.head, "/nope"))
    #expect(failure.response.status == .notFound)
    #expect(failure.body.isEmpty)
  }

  @Test(arguments: ["/movies/upcoming", "/movies/now_playing", "/repositories/-/x"])
  func `addresses that can not be have no page`(path: String) async throws {
    let failure = try await ask(.get, "\(raw: path)")
    #expect(failure?.response.status == .notFound)
  }

  @Test(arguments: [
    "/", "/issues", "/repositories", "/repositories/a/b", "/itunes", "/movies/top-rated", "/dogs",
    "/watch", "/watch/board",
  ])
  func `pages can only be read`(path: String) async throws {
    #expect(try await ask(.get, "\(raw: path)") == nil)
    let failure = try #require(try await ask(.post, "\(raw: path)"))
    #expect(failure.response.status == .methodNotAllowed)
    #expect(failure.response.headerFields[.allow] == "GET, HEAD")
  }

  @Test(arguments: [("/movies", "/movies/now-playing")])
  func `some addresses lead to others`(path: String, place: String) async throws {
    for method: HTTPRequest.Method in [.get, .head] {
      await #expect {
        _ = try await ask(method, "\(raw: path)")
      } throws: { error in
        guard case .redirect(let failure)? = error as? Client.Error else { return false }
        return failure.location.hasSuffix(place) && failure.reason == .tooMany(limit: 0)
      }
    }
  }
}
