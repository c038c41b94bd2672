import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
  private let stub = StubTransport()

  init() { stub.stub(.get, "/**", with: .json("1")) }

  @Test func aBodyThatIsAnnouncedTooLongIsRefusedWithItsHead() async {
    // Its body never comes.
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = StreamingTransport(headerFields: [.contentLength: "11"])
      $0.limits.bodySize = 10
    }
    #expect(await client.result(of: Request<Data>.get("/x")).failure?.tooLarge?.bytes == 10)
  }

  @Test func aMiddlewareMayReadABodyAndChangeLimits() async throws {
    struct Reading: Middleware {
      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse {
        var request = request
        request.limits.bodySize = 5
        var response = try await next(request)
        do {
          let body = try await response.body.collect(upTo: 5)
          response.body = ResponseBody(Data("[".utf8) + body + Data("]".utf8))
        } catch {
          throw request.failure(error)
        }
        return response
      }
    }
    stub.stub(.get, "/x", with: .json("123"), .json("123456"), .json("1").with(.cut(after: 0)))
    let client = Client.stubbed(by: stub) { $0.middleware = [Reading()] }
    #expect(try await client.send(Request<[Int]>.get("/x")) == [123])
    #expect(await client.result(of: Request<[Int]>.get("/x")).failure?.tooLarge?.bytes == 5)
    let lost = await client.result(of: Request<[Int]>.get("/x")).failure
    #expect(lost?.transportFailure?.kind == .lost)
  }

  @Test func anEnumIsAnEndpoint() async throws {
    enum MovieList: String, Endpoint, CaseIterable {
      case nowPlaying = "now_playing"
      case topRated = "top_rated"
      var request: Request<[Int]> { .get("/3/movie/\(rawValue)") }
    }
    stub.stub(MovieList.nowPlaying, with: .json("[1]"))
    stub.stub(MovieList.topRated, with: .json("[2]"))
    let client = Client.stubbed(by: stub)
    #expect(try await client.send(MovieList.topRated) == [2])
    #expect(try await client.send(MovieList.nowPlaying) == [1])
    #expect(stub.requests.map(\.head.path) == ["/3/movie/top_rated", "/3/movie/now_playing"])
  }

  @Test func headerFieldsOfEndpointsWinThenClientsThenMiddlewares() async throws {
    let name = try #require(HTTPField.Name("X-Level"))
    let other = try #require(HTTPField.Name("X-Other"))
    let third = try #require(HTTPField.Name("X-Third"))
    let client = Client.stubbed(by: stub) {
      $0.headerFields[name] = "client"
      $0.headerFields[other] = "client"
      $0.middleware = [
        .headerFields([name: "middleware", other: "middleware", third: "middleware"])
      ]
    }
    _ = try await client.send(Request<Int>.get("/x", headerFields: [name: "endpoint"]))
    let fields = try #require(stub.requests.first?.head.headerFields)
    #expect(fields[values: name] == ["endpoint"])
    #expect(fields[values: other] == ["client"])
    #expect(fields[values: third] == ["middleware"])
    #expect(fields[.accept] == "application/json, */*;q=0.5")
    #expect(fields[.userAgent] == "Curlew/1")
  }

  @Test func repeatedFieldsOfTheClientAreAllSent() async throws {
    let client = Client.stubbed(by: stub) {
      $0.headerFields[values: .cacheControl] = ["no-cache", "no-transform"]
    }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(
      stub.requests.first?.head.headerFields[values: .cacheControl] == ["no-cache", "no-transform"])
  }

  @Test func aBearerTokenIsSentUnlessTheEndpointHasItsOwn() async throws {
    let client = Client.stubbed(by: stub) { $0.middleware = [.bearer("abc")] }
    _ = try await client.send(Request<Int>.get("/x"))
    _ = try await client.send(Request<Int>.get("/x", headerFields: [.authorization: "Basic eDp5"]))
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] } == ["Bearer abc", "Basic eDp5"])
  }

  @Test func middlewaresRunInTheOrderInWhichTheyAreListed() async throws {
    let log = Log()
    let client = Client.stubbed(by: stub) {
      $0.middleware = [Tracing("a", log), Tracing("b", log), Tracing("c", log)]
    }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(log.lines == ["a>", "b>", "c>", "<c 200", "<b 200", "<a 200"])
  }

  @Test func aMiddlewareSeesErrorStatusesAndMayRepeatARequest() async throws {
    struct Again: Middleware {
      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse {
        let response = try await next(request)
        return response.head.status == .serviceUnavailable ? try await next(request) : response
      }
    }
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .json("2"))
    let client = Client.stubbed(by: stub) { $0.middleware = [Again()] }
    #expect(try await client.send(Request<Int>.get("/x")) == 2)
    #expect(stub.requests.count == 2)
  }

  @Test func aMiddlewareMayRespondItself() async throws {
    struct Canned: Middleware {
      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse { Sample.json("9").response }
    }
    let client = Client.stubbed(by: stub) { $0.middleware = [Canned()] }
    #expect(try await client.send(Request<Int>.get("/x")) == 9)
    #expect(stub.requests.isEmpty)
  }

  @Test func aResponseCarriesItsHeadAndURL() async throws {
    stub.stub(.get, "/old", with: .status(.found, [.location: "/new?api_key=hunter2&page=2"]))
    stub.stub(
      .get, "/new", with: .sample(Sample(headerFields: [.eTag: "\"1\""], body: Data("5".utf8))))
    let response = try await Client.stubbed(by: stub).response(for: Request<Int>.get("/old"))
    #expect(response.value == 5)
    #expect(response.head.headerFields[.eTag] == "\"1\"")
    #expect(response.url == "https://api.example.com/new?api_key=***&page=2")
  }

  @Test func anEndpointAdjustsTheClientsLimits() async throws {
    stub.stub(.get, "/x", with: .json("12345"))
    let client = Client.stubbed(by: stub) {
      $0.limits.bodySize = 2
      $0.limits.total = .seconds(5)
    }
    let error = await client.result(of: Request<Int>.get("/x")).failure
    #expect(error?.tooLarge?.bytes == 2)
    let roomy = Request<Int>.get("/x").limits { $0.bodySize *= 10 }
    #expect(try await client.send(roomy) == 12345)
    let limits = try #require(stub.requests.last?.limits)
    #expect(limits.bodySize == 20)
    #expect(limits.total == .seconds(5))
    #expect(limits.firstByte == .seconds(30))
    #expect(limits.redirects == 10)
  }

  @Test func aBodyAtTheLimitIsTakenAndALongerOneCutOffWhileItArrives() async throws {
    let pulled = Log()
    stub.stub(
      .get, "/endless",
      with: .responding { _ in
        IncomingResponse(
          head: HTTPResponse(status: .ok),
          body: ResponseBody {
            {
              pulled.add("chunk")
              return Data(repeating: 0x20, count: 100)
            }
          })
      })
    stub.stub(.get, "/exact", with: .json("1234567890"))
    let client = Client.stubbed(by: stub) { $0.limits.bodySize = 1_000 }
    let error = await client.result(of: Request<Data>.get("/endless")).failure
    #expect(error?.tooLarge?.bytes == 1_000)
    #expect(pulled.lines.count == 11)
    let exact = Request<Int>.get("/exact").limits { $0.bodySize = 10 }
    #expect(try await client.send(exact) == 1_234_567_890)
  }

  @Test func aBodyThatBreaksOffIsATransportError() async {
    struct Lost: Error {}
    stub.stub(
      .get, "/x",
      with: .responding { _ in
        IncomingResponse(head: HTTPResponse(status: .ok), body: ResponseBody { { throw Lost() } })
      })
    let error = await Client.stubbed(by: stub).result(of: Request<Int>.get("/x")).failure
    #expect(error?.transportFailure?.reason == "Lost()")
  }
}

/// Lines in the order in which they were added.
final class Log: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.append(line) } }
}

private struct Tracing: Middleware {
  let name: String
  let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  func send(_ request: OutgoingRequest, next: @escaping Next) async throws(Client.Error)
    -> IncomingResponse
  {
    log.add("\(name)>")
    let response = try await next(request)
    log.add("<\(name) \(response.head.status.code)")
    return response
  }
}
