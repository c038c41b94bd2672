import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONLinesTests {
  private var (stub, client) = stubAndClient(on: TestClock()) { $0.limits = .endless }
  private let users = Request<User>.get("/users")

  @Test(arguments: [
    "{\"login\":\"ann\"}\n{\"login\":\"bob\"}\n", "{\"login\":\"ann\"}\r\n{\"login\":\"bob\"}",
    "\u{FEFF}{\"login\":\"ann\"}\n\n \t\n{\"login\":\"bob\"}\n\n",
    "\n{\"login\":\"ann\"}\r\n {\"login\":\"bob\"} ",
  ])
  func `each line is a value and blank ones are none`(text: String) async {
    for size in [1, 5, 1_000] {
      stub.stub(.get, "/users", with: .chunks(Data(text.utf8).cut(every: size)))
      let (values, error) = await client.jsonLines(users).collect()
      #expect(values.map(\.login) == ["ann", "bob"] && error == nil)
    }
  }

  @Test func `values arrive before the end`() async throws {
    let live = LiveBody()
    stub.stub(.get, "/users", with: live.response)
    let values = client.jsonLines(users)
    live.send("{\"login\":\"ann\"}\n{\"log")
    #expect(stub.requests.isEmpty)
    #expect(await values.collect(1).elements.map(\.login) == ["ann"])
    await eventually { live.hasEnded }
  }

  /// A carriage return alone is white space (RFC 8259 section 2).
  @Test func `carriage return alone ends no line`() async {
    stub.stub(
      .get, "/users", with: .text("{\r\"login\":\r\"ann\"}\r\n\r\n{\"login\":\"bob\"}\r"))
    let (values, error) = await client.jsonLines(users).collect()
    #expect(values.map(\.login) == ["ann", "bob"] && error == nil)
  }

  @Test func `a damaged line is an error with its number`() async {
    stub.stub(
      .get, "/users", with: .text("{\"login\":\"ann\"}\n\n{\"login\":7}\n{\"login\":\"bob\"}"))
    let (values, error) = await client.jsonLines(users).collect()
    #expect(values.map(\.login) == ["ann"])
    #expect(error?.decodingFailure?.line == 3)
    #expect(error?.decodingFailure?.codingPath == "login")
    let text =
      "GET https://api.example.com/users: expected User, in line 3, at login: Expected to decode String"
    #expect(error.map { "\($0)" }?.hasPrefix(text) == true)
  }

  @Test func `text that is no JSON is reported at its line and column`() async {
    stub.stub(.get, "/users", with: .text("{\"login\":\"ann\"}\n{\"login\":\"bob\""))
    let failure = await client.jsonLines(users).collect().error?.decodingFailure
    #expect(failure?.line == 2)
    #expect(
      failure?.reason == "not JSON at line 2, column 15: the text ends too early.")
  }

  @Test func `after a damaged line the transfer ends`() async throws {
    let live = LiveBody()
    stub.stub(.get, "/users", with: live.response)
    let values = client.jsonLines(users)
    live.send("7\n{\"login\":\"ann\"}\n")
    var iterator = values.makeAsyncIterator()
    await #expect(throws: Client.Error.self) { try await iterator.next(isolation: #isolation) }
    await eventually { live.hasEnded }
    #expect(try await iterator.next(isolation: #isolation) == nil)
  }

  @Test func `results go on past damaged lines`() async {
    stub.stub(.get, "/users", with: .text("{\"login\":\"ann\"}\n?\n{\"login\":\"bob\"}\n{}\n"))
    let (results, error) = await client.jsonLines(users).results.collect()
    #expect(results.map { try? $0.get().login } == ["ann", nil, "bob", nil] && error == nil)
    #expect(results.map { $0.failure?.decodingFailure?.line } == [nil, 2, nil, 4])
  }

  @Test func `a line over the limit ends the results`() async {
    stub.stub(.get, "/users", with: .text("{}\n{\"login\":\"bob\"}\n{}"))
    let request = users.limits { $0.lineSize = 10 }
    let (results, error) = await client.jsonLines(request).results.collect()
    #expect(results.count == 1 && error?.tooLarge?.limit == .lineSize)
  }

  @Test func `secrets are masked in the error of a line`() async {
    let secret = Request<User>.get("/users", query: ["token": Sensitive("hunter2")])
    stub.stub(secret, with: .text("{\"login\":[\"hunter2\"]}"))
    let error = await client.jsonLines(secret).collect().error
    #expect(error.map { "\($0)" }?.contains("hunter2") == false)
    #expect(error?.decodingFailure?.excerpt.isEmpty == false)
  }

  @Test func `secrets are masked in the failures of a lossy list`() async {
    let token: Query = ["token": Sensitive("hunter2")]
    let secret = Request<LossyList<[String: Int]>>.get("/x", query: token)
    stub.stub(secret, with: .text(#"[{"hunter2": "x"}, {"a": 1}]"#))
    let list = await client.jsonLines(secret).collect().elements.first
    #expect(list?.elements == [["a": 1]] && list?.failures.count == 1)
    #expect(list.map { "\($0.failures)" }?.contains("hunter2") == false)
  }

  @Test func `a decoding of one's own reads each line`() async {
    stub.stub(.get, "/log", with: .text("a b\nc"))
    #expect(await client.jsonLines(Request<String>.get("/log")).collect().elements == ["a b", "c"])
    let lengths = Request<Int>(
      .get, "/log", decoding: ResponseDecoding { data, _, _ in data.count })
    #expect(await client.jsonLines(lengths).collect().elements == [3, 1])
  }

  @Test func `each iteration sends the request`() async {
    stub.stub(.get, "/users", with: .text("{\"login\":\"ann\"}"))
    let values: JSONLines<User> = client.jsonLines(.get("/users"))
    for _ in 0..<2 { #expect(await values.collect().elements == [User(login: "ann")]) }
    #expect(stub.requests.count == 2)
  }

  @Test func `the server is asked for JSON lines unless the endpoint says`() async {
    stub.stub(.get, "/users", with: .text(""))
    _ = await client.jsonLines(users).collect()
    let own = Request<User>.get("/users", headerFields: [.accept: "application/stream+json"])
    _ = await client.jsonLines(own).collect()
    let accepted = stub.requests.map { $0.head.headerFields[.accept] }
    #expect(accepted.first??.hasPrefix("application/jsonl, application/x-ndjson,") == true)
    #expect(accepted.last == "application/stream+json")
  }

  @Test func `an error of the request is thrown`() async throws {
    stub.stub(.get, "/users", with: .status(.notFound))
    var values = client.jsonLines(users).makeAsyncIterator()
    let error = await #expect(throws: Client.Error.self) {
      try await values.next(isolation: #isolation)
    }
    #expect(error?.status == .notFound)
    #expect(try await values.next(isolation: #isolation) == nil)
  }
}
