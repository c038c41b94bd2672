import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
  private let stub = StubTransport()

  init() { stub.stub(.get, "/**", with: .json("1")) }

  @Test func `a body that is announced too long is refused with its head`() async {
    // The body never arrives.
    stub.stub(.get, "/x", with: .body(heldBy: StubGate(), [.contentLength: "11"]))
    let client = Client.stubbed(by: stub) { $0.limits.bodySize = 10 }
    #expect(await client.result(of: Request<Data>.get("/x")).failure?.tooLarge?.bytes == 10)
  }

  @Test func `a middleware may read a body and change limits`() async throws {
    let reading = FunctionMiddleware { request, next throws(Client.Error) in
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
    stub.stub(.get, "/x", with: .json("123"), .json("123456"), .json("1").cut(after: 0))
    let client = Client.stubbed(by: stub) { $0.middleware = [reading] }
    #expect(try await client.send(Request<[Int]>.get("/x")) == [123])
    #expect(await client.result(of: Request<[Int]>.get("/x")).failure?.tooLarge?.bytes == 5)
    let lost = await client.result(of: Request<[Int]>.get("/x")).failure
    #expect(lost?.transportFailure?.kind == .lost)
  }

  @Test func `an enum is an endpoint`() async throws {
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

  @Test func `header fields of endpoints win then clients then middlewares`() async throws {
    let client = Client.stubbed(by: stub) {
      $0.headerFields["X-Level"] = "client"
      $0.headerFields[values: "X-Other"] = ["client", "repeated"]
      $0.middleware = [.headerFields(["X-Level": "m", "X-Other": "m", "X-Third": "m"])]
    }
    _ = try await client.send(Request<Int>.get("/x", headerFields: ["X-Level": "endpoint"]))
    let fields = try #require(stub.requests.first?.head.headerFields)
    #expect(fields[values: "X-Level"] == ["endpoint"])
    #expect(fields[values: "X-Other"] == ["client", "repeated"])
    #expect(fields[values: "X-Third"] == ["m"])
    #expect(fields[.accept] == "application/json, */*;q=0.5")
    #expect(fields[.userAgent] == "Curlew/1")
  }

  @Test func `middlewares run in the order in which they are listed`() async throws {
    let log = Events<String>()
    let client = Client.stubbed(by: stub) {
      $0.middleware = ["a", "b", "c"].map { name in
        FunctionMiddleware { request, next throws(Client.Error) in
          log.note("\(name)>")
          let response = try await next(request)
          log.note("<\(name) \(response.head.status.code)")
          return response
        }
      }
    }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(log.entries == ["a>", "b>", "c>", "<c 200", "<b 200", "<a 200"])
  }

  @Test func `a middleware sees error statuses and may repeat a request`() async throws {
    let again = FunctionMiddleware { request, next throws(Client.Error) in
      let response = try await next(request)
      return response.head.status == .serviceUnavailable ? try await next(request) : response
    }
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .json("2"))
    let client = Client.stubbed(by: stub) { $0.middleware = [again] }
    #expect(try await client.send(Request<Int>.get("/x")) == 2)
    #expect(stub.requests.count == 2)
  }

  @Test func `a middleware may respond itself`() async throws {
    let canned = FunctionMiddleware { _, _ in Sample.json("9").response }
    let client = Client.stubbed(by: stub) { $0.middleware = [canned] }
    #expect(try await client.send(Request<Int>.get("/x")) == 9)
    #expect(stub.requests.isEmpty)
  }

  @Test func `a response carries its head and URL`() async throws {
    stub.stub(.get, "/old", with: .status(.found, [.location: "/new?api_key=hunter2&page=2"]))
    stub.stub(
      .get, "/new", with: .sample(Sample(headerFields: [.eTag: "\"1\""], body: Data("5".utf8))))
    let response = try await Client.stubbed(by: stub).response(for: Request<Int>.get("/old"))
    #expect(response.value == 5)
    #expect(response.head.headerFields[.eTag] == "\"1\"")
    #expect(response.url == "https://api.example.com/new?api_key=***&page=2")
  }

  @Test func `an endpoint adjusts the client's limits`() async throws {
    stub.stub(.get, "/x", with: .json("12345"))
    let client = Client.stubbed(by: stub) {
      $0.limits.bodySize = 2
      $0.limits.total = .seconds(5)
    }
    let error = await client.result(of: Request<Int>.get("/x")).failure
    #expect(error?.tooLarge?.bytes == 2)
    // Changes accumulate.
    let roomy = Request<Int>.get("/x").limits { $0.bodySize *= 10 }.limits { $0.connect = nil }
    #expect(try await client.send(roomy) == 12345)
    let limits = try #require(stub.requests.last?.limits)
    #expect(limits.bodySize == 20 && limits.connect == nil)
    #expect(limits.total == .seconds(5))
    #expect(limits.firstByte == .seconds(30))
    #expect(limits.redirects == 10)
  }

  @Test func `a body at the limit is taken and a longer one cut off while it arrives`() async throws
  {
    let pulled = Events<String>()
    stub.stub(
      .get, "/endless",
      with: .responding { _ in
        IncomingResponse(
          head: HTTPResponse(status: .ok),
          body: ResponseBody {
            {
              pulled.note("chunk")
              return Data(repeating: 0x20, count: 100)
            }
          })
      })
    stub.stub(.get, "/exact", with: .json("1234567890"))
    let client = Client.stubbed(by: stub) { $0.limits.bodySize = 1_000 }
    let error = await client.result(of: Request<Data>.get("/endless")).failure
    #expect(error?.tooLarge?.bytes == 1_000)
    #expect(pulled.entries.count == 11)
    let exact = Request<Int>.get("/exact").limits { $0.bodySize = 10 }
    #expect(try await client.send(exact) == 1_234_567_890)
  }
}
