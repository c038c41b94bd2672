import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct AcceptedStatusTests {
  private struct Problem: Decodable, Equatable {
    let fields: [String]
  }

  private struct Strict: Endpoint {
    var request: Request<String> {
      var request = Request<String>.get("/x")
      request.acceptedStatuses = [200]
      return request
    }
  }

  private struct Login: Endpoint {
    var request: Request<Void> { .get("/login").redirects(.doNotFollow) }
  }

  private var (stub, client) = stubAndClient()

  @Test(arguments: [404, 304, 418])
  func `an accepted status is decoded`(code: Int) async throws {
    stub.stub(.get, "/x", with: .json("7", status: HTTPResponse.Status(code: code)))
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.status?.code == code)
    let response = try await client.response(for: Request<Int>.get("/x").accepting([code]))
    #expect(response.value == 7 && response.head.status.code == code)
  }

  @Test func `a status may stand for a value`() async throws {
    stub.stub(.get, "/x", with: .json(#"{"message": "Not Found"}"#, status: .notFound), .json("7"))
    let request: Request<Int?> = .get("/x").returning(nil, for: .notFound)
    #expect(try await client.send(request) == nil)
    #expect(try await client.send(request) == 7)
  }

  @Test func `an endpoint may accept less than2 xx`() async throws {
    stub.stub(.get, "/x", with: .status(.accepted), .status(.ok))
    #expect(await client.result(of: Strict()).failure?.status == .accepted)
    #expect(try await client.send(Strict()) == "")
  }

  @Test func `an accepted status is not retried`() async throws {
    stub.stub(.get, "/x", with: .json("7", status: .serviceUnavailable))
    let client = Client.stubbed(by: stub) { $0.middleware = [.retrying()] }
    #expect(try await client.send(Request<Int>.get("/x").accepting([503])) == 7)
    #expect(stub.requests.count == 1)
  }

  @Test func `an accepted body is read whole and limited`() async throws {
    let long = Data(repeating: 0x61, count: 200_000)
    stub.stub(.get, "/x", with: .data(long, status: .notFound))
    #expect(try await client.send(Request<Data>.get("/x").accepting([404])) == long)
    let short = Request<Data>.get("/x").accepting([404]).limits { $0.bodySize = 100 }
    #expect(await client.result(of: short).failure?.tooLarge?.bytes == 100)
  }

  @Test func `redirects that are not followed are the response`() async throws {
    let fields: HTTPFields = [.location: "/home", .setCookie: "session=s3cret"]
    stub.stub(.get, "/login", with: .status(.found, fields))
    let response = try await client.response(
      for: Request<Void>.get("/login").redirects(.doNotFollow))
    #expect(response.head.status == .found && stub.requests.count == 1)
    // A custom endpoint declares the same with a property.
    let own = try await client.response(for: Login())
    #expect(own.head == response.head)
    #expect(response.head.headerFields[.location] == "/home")
    #expect(response.head.headerFields[.setCookie] == "session=s3cret")
  }

  @Test func `a client may follow none and an endpoint may`() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "/y"]))
    stub.stub(.get, "/y", with: .json("7"))
    let client = Client.stubbed(by: stub) { $0.redirects = .doNotFollow }
    let failure = await client.result(of: Request<Int>.get("/x")).failure?.statusFailure
    #expect(failure?.response.status == .found)
    #expect(failure?.response.headerFields[.location] == "/y")
    #expect(try await client.send(Request<Int>.get("/x").redirects(.follow)) == 7)
  }

  @Test func `an endpoint names the type of its errors`() async throws {
    stub.stub(.post, "/x", with: .json(#"{"fields": ["name"]}"#, status: .unprocessableContent))
    let request = Request<Int>.post("/x").errorBody(Problem.self)
    let failure = await client.result(of: request).failure?.statusFailure
    #expect(failure?.body(as: Problem.self) == Problem(fields: ["name"]))
    #expect(failure?.body(as: Int.self) == nil)
    let plain = await client.result(of: Request<Int>.post("/x")).failure?.statusFailure
    #expect(plain?.body(as: Problem.self) == nil)
    #expect(plain == failure)
  }

  @Test func `a client names the type of its API's errors`() async throws {
    stub.stub(
      .post, "/x", with: .json(#"{"fields": ["a"]}"#, status: .badRequest),
      .json("no JSON {", status: .badRequest))
    let client = Client.stubbed(by: stub) { $0.errorBody = Problem.self }
    let request = Request<Int>.post("/x")
    let failure = await client.result(of: request).failure?.statusFailure
    #expect(failure?.body(as: Problem.self)?.fields == ["a"])
    let broken = await client.result(of: request).failure?.statusFailure
    #expect(broken?.body(as: Problem.self) == nil && broken?.body.isEmpty == false)
  }

  @Test func `what is sent is inferred`() async throws {
    stub.stub(.get, "/x", with: .json("7"))
    stub.stub(.delete, "/x", with: .status(.noContent))
    let number: Int = try await client.send(.get("/x"))
    #expect(number == 7)
    try await client.send(.delete("/x"))
    let result: Result<Int, Client.Error> = await client.result(of: .get("/x"))
    #expect(try result.get() == 7)
    let response: Response<Int> = try await client.response(for: .get("/x"))
    #expect(response.value == 7)
  }
}
