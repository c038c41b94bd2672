import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import ShowcaseTestSupport
import Testing
import showcase

/// The configuration of the showcase's clients.
@Suite(.timeLimit(.minutes(1)))
struct ClientsTests {
  private let stub = StubTransport()
  private let waits = Waits()

  /// The visitor of the current task.
  @TaskLocal private static var visitor: String?

  /// Returns the clients, with retries without delays.
  private func clients(
    isLive: Bool = true, visitor: (@Sendable () -> String?)? = nil
  ) -> (gitHub: Client, iTunes: Client, tmdb: Client) {
    var network = Network(transport: stub, isLive: isLive)
    network.visitor = visitor
    network.retries.maximumDelay = .zero
    network.observers = [waits]
    return (
      .gitHub("https://g.example", over: network, credentials: .bearer("secret")),
      .client(of: "https://i.example", over: network),
      .tmdb("https://t.example", over: network, key: Sensitive("key"))
    )
  }

  private var all: [Client] {
    let clients = clients()
    return [clients.gitHub, clients.iTunes, clients.tmdb]
  }

  @Test func `tabs that load the same share one transfer`() async throws {
    for (index, client) in all.enumerated() {
      let gate = stub.hold(.get, "/\(index)")
      let tabs = (1...3).map { _ in Task { try await client.send(Request<Int>.get("/\(index)")) } }
      await eventually { waits.count == 2 }
      gate.respond(with: .json("1"))
      for tab in tabs { #expect(try await tab.value == 1) }
    }
    #expect(stub.requests.count == 3)
  }

  @Test func `failure that passes is not seen`() async throws {
    for client in all {
      stub.stub(.get, "/x", with: .status(.serviceUnavailable), .json("1"))
      #expect(try await client.send(Request<Int>.get("/x")) == 1)
    }
    #expect(stub.requests.count == 6)
  }

  @Test func `a recording is retried as the server was but for the waits`() async {
    let clients = clients(isLive: false)
    stub.stub(.get, "/**", with: .status(.serviceUnavailable))
    for client in [clients.gitHub, clients.iTunes, clients.tmdb] {
      _ = await client.result(of: Request<Int>.get("/x"))
    }
    #expect(stub.requests.count == 9)
  }

  @Test func `streams that last take no requests place`() async throws {
    let streams = Client.streams("https://g.example", over: Network(transport: stub))
    _ = stub.hold(.get, "/stream")
    let tabs = (1...20).map { _ in
      Task { for try await _ in streams.events(Request<String>.get("/stream")) {} }
    }
    await eventually { stub.requests.count == 20 }
    stub.stub(.get, "/x", with: .json("1"))
    #expect(try await clients().gitHub.send(Request<Int>.get("/x")) == 1)
    for tab in tabs { tab.cancel() }
    for tab in tabs { _ = await tab.result }
  }

  @Test func `eight requests are sent at a time`() async throws {
    for (index, client) in all.enumerated() {
      let gate = stub.hold(.get, "/\(index)/**")
      let callers = (1...20).map { number in
        Task { try await client.send(Request<Int>.get("/\(index)/\(number)")) }
      }
      await gate.waitForRequests(8)
      for answered in 1...12 {
        #expect(gate.held.count == 8)
        gate.respond(with: .json("1"))
        await gate.waitForRequests(8 + answered)
      }
      gate.respondToAll(with: .json("1"))
      for caller in callers { _ = try await caller.value }
    }
  }

  @Test func `GitHub that fails again and again is left alone`() async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = clients().gitHub
    for _ in 1...3 { _ = await client.result(of: Request<Int>.get("/x")) }
    #expect(stub.requests.count == 5)
  }

  @Test func `a server that fails for one visitor serves the others`() async throws {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = clients(visitor: { Self.visitor }).gitHub
    func result(for visitor: String?) async -> Result<Int, Client.Error> {
      await Self.$visitor.withValue(visitor) { await client.result(of: Request<Int>.get("/x")) }
    }
    for _ in 1...3 { _ = await result(for: "a") }
    #expect(stub.requests.count == 5)
    stub.stub(.get, "/x", with: .json("1"))
    await #expect(throws: Client.Error.self) { try await result(for: "a").get() }
    #expect(try await result(for: "b").get() == 1)
    #expect(try await result(for: nil).get() == 1)
    #expect(stub.requests.count == 7)
  }

  @Test func `used up limit of GitHub is an error at once`() async throws {
    let remaining = try #require(HTTPField.Name("X-RateLimit-Remaining"))
    let reset = try #require(HTTPField.Name("X-RateLimit-Reset"))
    let later = "\(Int(Date().timeIntervalSince1970) + 3_600)"
    stub.stub(
      .get, "/x",
      with: .sample(Sample(headerFields: [remaining: "0", reset: later], body: Data("1".utf8))))
    let client = clients().gitHub
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    let error = await #expect(throws: Client.Error.self) {
      try await client.send(Request<Int>.get("/x"))
    }
    #expect(error?.localizedDescription.hasPrefix("The request limit has been reached") == true)
    #expect(stub.requests.count == 1)
  }

  @Test func `credentials are added and masked`() async {
    stub.stub(.get, "/x", with: .status(.badRequest))
    let clients = clients()
    let texts = [
      "\(await clients.gitHub.result(of: Request<Int>.get("/x")))",
      "\(await clients.tmdb.result(of: Request<Int>.get("/x")))",
    ]
    #expect(stub.requests.first?.head.headerFields[.authorization] == "Bearer secret")
    #expect(stub.requests.last?.head.path == "/x?api_key=key")
    #expect(texts.allSatisfy { !$0.contains("secret") && !$0.contains("=key") })
  }
}
