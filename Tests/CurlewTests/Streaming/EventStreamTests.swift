import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The requests of `client.events`, and how a stream begins and ends.
@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
  private var (clock, stub) = stubOnTestClock()
  private let client: Client
  private let endpoint = Request<String>.get("/events")

  init() {
    client = .stubbed(by: stub) { $0.limits = .endless }
  }

  @Test func `an event stream is asked for`() async {
    stub.stub(endpoint, with: .status(.noContent))
    let own = Request<String>.get(
      "/events", headerFields: [.accept: "text/event-stream;v=2", .cacheControl: "no-cache"])
    for request in [endpoint, own] {
      let (events, error) = await client.events(request).collect()
      #expect(events.isEmpty && error == nil)
    }
    #expect(
      stub.requests.map { $0.head.headerFields[.accept] } == [
        "text/event-stream", "text/event-stream;v=2",
      ])
    #expect(stub.requests.map { $0.head.headerFields[.cacheControl] } == ["no-store", "no-cache"])
    #expect(stub.requests.map(\.lastEventID) == [nil, nil])
  }

  @Test func `events arrive one by one`() async throws {
    let live = LiveBody()
    stub.stub(endpoint, with: live.response)
    var events = client.events(endpoint).makeAsyncIterator()
    #expect(stub.requests.isEmpty)
    live.send("event: add\nid: 1\ndata: a\n\ndata: ")
    #expect(
      try await events.next(isolation: #isolation)
        == ServerSentEvent(type: "add", data: "a", id: "1"))
    live.send("b\r\r")
    #expect(try await events.next(isolation: #isolation) == ServerSentEvent(data: "b", id: "1"))
  }

  @Test(arguments: [true, false]) func `no content ends the stream`(isAccepted: Bool) async throws {
    stub.stub(endpoint, with: .status(.noContent))
    var request = endpoint
    if !isAccepted { request.acceptedStatuses = [200] }
    var events = client.events(request).makeAsyncIterator()
    for _ in 0..<2 { #expect(try await events.next(isolation: #isolation) == nil) }
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 501])
  func `a status that is final ends the stream`(code: Int) async throws {
    stub.stub(endpoint, with: .status(HTTPResponse.Status(code: code)))
    var events = client.events(endpoint).makeAsyncIterator()
    let error = await #expect(throws: Client.Error.self) {
      try await events.next(isolation: #isolation)
    }
    #expect(error?.status?.code == code)
    #expect(try await events.next(isolation: #isolation) == nil)
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: ["text/event-stream; charset=utf-8", "Text/Event-Stream"])
  func `parameters of the content type do not matter`(type: String) async {
    stub.stub(endpoint, with: .chunks([Data("data:a\n\n".utf8)], contentType: type))
    #expect(await client.events(endpoint).collect(1).elements.map(\.data) == ["a"])
  }

  @Test(arguments: [
    "text/plain", "application/json", "application/event-stream", "text/event-stream-2",
  ])
  func `another content type ends the stream`(type: String) async {
    stub.stub(endpoint, with: .chunks([Data("data:a\n\n".utf8)], contentType: type))
    let (events, error) = await client.events(endpoint).collect()
    #expect(events.isEmpty && error?.decodingFailure?.type == "ServerSentEvent")
    let reason = "the response's content type is \(type), not text/event-stream."
    #expect(error?.decodingFailure?.reason == reason)
    #expect(stub.requests.count == 1)
  }

  @Test func `a response without content type or a web page ends the stream`() async {
    stub.stub(
      endpoint, with: .status(.ok), .chunks([Data("<html>".utf8)], contentType: "text/html"))
    let first = await client.events(endpoint).collect().error?.decodingFailure
    #expect(first?.reason == "the response's content type is missing, not text/event-stream.")
    #expect(first?.isWebPage == false)
    #expect(await client.events(endpoint).collect().error?.decodingFailure?.isWebPage == true)
  }

  @Test func `an event over the limit ends the stream`() async {
    stub.stub(endpoint, with: .events("data:1234\n\ndata:12345\ndata:12345\n\n"))
    let request = endpoint.limits { $0.eventSize = 10 }
    let (events, error) = await client.events(request).collect()
    #expect(events.count == 1 && error?.tooLarge?.limit == .eventSize)
    #expect(error?.tooLarge?.bytes == 10 && stub.requests.count == 1)
    #expect(
      error.map { "\($0)" }?.hasSuffix("an event exceeds 10 bytes (limits.eventSize)") == true)
  }

  @Test func `an error ends the transfer while the iterator lives`() async throws {
    let (large, damaged) = (LiveBody(), LiveBody())
    let users = Request<User>.get("/users").limits { $0.eventSize = 10 }
    stub.stub(users, with: large.response, damaged.response)
    large.send("data:1234567890\n\n")
    damaged.send("data:7\n\ndata:8\n\n")
    var events = client.events(users).makeAsyncIterator()
    await #expect(throws: Client.Error.self) { try await events.next(isolation: #isolation) }
    await eventually { large.hasEnded }
    var values = client.events(users).values.makeAsyncIterator()
    await #expect(throws: Client.Error.self) { try await values.next(isolation: #isolation) }
    await eventually { damaged.hasEnded }
    #expect(try await events.next(isolation: #isolation) == nil)
    #expect(try await values.next(isolation: #isolation) == nil)
    #expect(stub.requests.count == 2)
  }

  @Test func `leaving the loop ends the transfer`() async {
    let live = LiveBody()
    stub.stub(endpoint, with: live.response)
    live.send("data:a\n\ndata:b\n\n")
    #expect(await client.events(endpoint).collect(1).elements.map(\.data) == ["a"])
    await eventually { live.hasEnded }
  }

  @Test func `cancelling the task ends the transfer`() async {
    let live = LiveBody()
    stub.stub(endpoint, with: live.response)
    live.send("data:a\n\n")
    let task = await client.eventsThatHaveBegun(endpoint)
    task.cancel()
    #expect(await task.value?.isCancelled == true)
    await eventually { live.hasEnded }
    #expect(clock.sleepers == 0 && stub.requests.count == 1)
  }

  // MARK: A stream's own end

  /// Returns whether an event ends a stream of OpenAI's API.
  private static let isDone: @Sendable (ServerSentEvent) -> Bool = { $0.data == "[DONE]" }

  /// apple/swift-openapi-generator#622, SwiftBeta/SwiftOpenAI#4, Recouse/EventSource#13.
  @Test func `a stream ends with its own event`() async throws {
    let chunk = "data:{\"login\":\"ann\"}\n\n"
    let ends: [(text: String, isEnd: @Sendable (ServerSentEvent) -> Bool)] = [
      ("data: [DONE]\n\n", Self.isDone), ("data:[DONE]\n\n", Self.isDone),
      ("event: message_stop\ndata: {}\n\n", { $0.type == "message_stop" }),
      ("data: [DONE]\r\n\r\ndata: late\n\n", Self.isDone),
      ("id: end\ndata: x\n\n", { $0.id == "end" }),
    ]
    for users in [Request<User>.get("/users"), .post("/users", body: .json(["q": "hi"]))] {
      for (text, isEnd) in ends {
        stub.stub(users, with: .events(chunk + chunk + text))
        let (events, error) = await client.events(users, until: isEnd).collect()
        #expect(events.count == 2 && error == nil)
        let (values, failure) = await client.events(users, until: isEnd).values.collect()
        #expect(values == [User(login: "ann"), User(login: "ann")] && failure == nil)
      }
    }
    // No reconnection.
    #expect(stub.requests.count == 20 && clock.sleepers == 0)
  }

  @Test func `a stream's own end ends the transfer`() async throws {
    let live = LiveBody()
    stub.stub(endpoint, with: live.response)
    live.send("data: a\n\ndata: [DONE]\n\n")
    var events = client.events(endpoint, until: Self.isDone).makeAsyncIterator()
    #expect(try await events.next(isolation: #isolation)?.data == "a")
    for _ in 0..<2 { #expect(try await events.next(isolation: #isolation) == nil) }
    await eventually { live.hasEnded }
    #expect(stub.requests.count == 1)
  }

  @Test func `a stream without its own end reconnects`() async throws {
    stub.stub(endpoint, with: .events("data:a\n\n"), .events("data:b\n\ndata:[DONE]\n\n"))
    let task = Task { [client, endpoint] in
      await client.events(endpoint, until: Self.isDone).collect()
    }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    let (events, error) = await task.value
    #expect(events.map(\.data) == ["a", "b"] && error == nil && stub.requests.count == 2)
  }

  // MARK: One response

  @Test func `a post is sent once and ends with its body`() async {
    let chat = Request<String>.post("/chat", body: .json(["q": "hi"]))
    stub.stub(chat, with: .events("data:a\n\ndata:b\n\ndata:c"))
    let (events, error) = await client.events(chat).collect()
    #expect(events.map(\.data) == ["a", "b"] && error == nil)
    stub.stub(
      chat, with: .events("data:a\n\n", error: Client.TransportFailure(.lost, reason: "reset")))
    #expect(await client.events(chat).collect().error?.transportFailure?.kind == .lost)
    #expect(stub.requests.count == 2 && clock.sleepers == 0)
  }

  @Test func `a streamed response has events too`() async throws {
    stub.stub(.get, "/x", with: .events("id:1\ndata:a\n\ndata:b"), .events("data:12345\n"))
    let first = await (try client.stream(.get("/x"))).events.collect()
    #expect(first.elements == [ServerSentEvent(data: "a", id: "1")] && first.error == nil)
    let narrow = Request<Data>.get("/x").limits { $0.eventSize = 4 }
    var events = try await client.stream(narrow).events.makeAsyncIterator()
    let error = await #expect(throws: Client.Error.self) {
      try await events.next(isolation: #isolation)
    }
    #expect(error?.tooLarge?.limit == .eventSize)
    #expect(try await events.next(isolation: #isolation) == nil)
  }

  // MARK: Values

  @Test func `values are the decoded data`() async {
    let users = Request<User>.get("/users")
    stub.stub(users, with: .events("event:add\ndata:{\"login\":\ndata:\"ann\"}\n\ndata:7\n\n"))
    let (values, error) = await client.events(users).values.collect()
    #expect(values == [User(login: "ann")])
    #expect(error?.decodingFailure?.type == "User" && error?.decodingFailure?.line == nil)
    #expect(stub.requests.count == 1)
  }

  @Test func `the type of a stream is inferred`() async {
    stub.stub(.get, "/users", with: .events("data:{\"login\":\"ann\"}\n\n"))
    let events: ServerSentEvents<User> = client.events(.get("/users"))
    #expect(await events.values.collect(1).elements == [User(login: "ann")])
  }
}

extension Client {
  /// Starts reading events, waits for the first event, and returns a task with the error at their end.
  func eventsThatHaveBegun(_ endpoint: Request<String>) async -> Task<Client.Error?, Never> {
    let hasBegun = Gate()
    let task = Task { () async -> Client.Error? in
      do throws(Client.Error) {
        for try await _ in events(endpoint) { hasBegun.open() }
        return nil
      } catch {
        return error
      }
    }
    await hasBegun.wait()
    return task
  }
}

extension OutgoingRequest {
  /// The value of `Last-Event-ID`.
  var lastEventID: String? { head.headerFields["Last-Event-ID"] }
}
