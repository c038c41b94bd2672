import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Sign-in and sign-out of a running client.
@Suite(.timeLimit(.minutes(1)))
struct SessionTests {
  private final class Log: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  private var (clock, stub) = stubOnTestClock()
  private let grants = StubGate()
  private let tokens: StubTransport

  private let ann = BearerToken(access: Sensitive("ann"))
  private let bob = BearerToken(access: Sensitive("bob"))

  init() {
    tokens = StubTransport(clock: clock)
    tokens.stub(.post, "/token", with: .held(by: grants))
  }

  /// Returns a middleware with a refresh at a server, whose response may be empty at the end of the session.
  private func bearer(_ token: BearerToken?, _ changes: Log = Log()) -> StandardMiddleware {
    let auth = Client.stubbed(by: tokens)
    return .bearer(token) { _ in
      let text = try await auth.send(Request<String>.post("/token"))
      return text.isEmpty ? nil : BearerToken(access: Sensitive(text))
    } onChange: {
      changes.add($0?.access.value ?? "nobody")
    }
  }

  private func client(
    _ middleware: [any Middleware], _ configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      $0.middleware = middleware
      configure(&$0)
    }
  }

  private func authorizations() -> [String?] {
    stub.requests.map { $0.head.headerFields[.authorization] }
  }

  @Test func `a running client gets and loses a token`() async throws {
    stub.stub(.get, "/x", with: .json("1"))
    let changes = Log()
    let client = client([bearer(nil, changes)])
    let get = Request<Int>.get("/x")
    _ = try await client.send(get)
    await client.signIn(with: ann)
    _ = try await client.send(get)
    await client.signIn(with: bob)
    _ = try await client.send(get)
    await client.signOut()
    _ = try await client.send(get)
    #expect(authorizations() == [nil, "Bearer ann", "Bearer bob", nil])
    #expect(changes.lines == ["ann", "nobody", "bob", "nobody"])
  }

  @Test func `a 401 for a token that can't be refreshed signs the user out`() async throws {
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    let changes = Log()
    let client = client([.bearer(ann, onChange: { changes.add($0?.access.value ?? "nobody") })])
    _ = await client.result(of: Request<Int>.get("/x"))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(authorizations().last == .some(nil))
    #expect(changes.lines == ["nobody"])
  }

  @Test func `a sign-out of one client holds for all with its session`() async throws {
    stub.stub(
      .get, "/x",
      with: .sample(
        Sample(
          headerFields: [.cacheControl: "max-age=60", .setCookie: "sid=1"], body: Data("1".utf8)))
    )
    let (session, get) = (bearer(ann), Request<Int>.get("/x"))
    let (caches, jars) = ([ResponseCache.memory(), .memory()], [CookieJar(), CookieJar()])
    let clients = (0..<2).map { index in
      client([session]) {
        $0.cache = caches[index]
        $0.networkMiddleware = [.cookies(in: jars[index])]
      }
    }
    for client in clients { _ = try await client.send(get) }
    for cache in caches { #expect(await cache.contents().count == 1) }
    await clients[0].signOut()
    for cache in caches { #expect(await cache.contents().isEmpty) }
    for client in clients { _ = try await client.send(get) }
    #expect(authorizations() == ["Bearer ann", "Bearer ann", nil, nil])
    #expect(stub.requests.allSatisfy { $0.head.headerFields[.cookie] == nil })
  }

  @Test func `another user's sign-in forgets the first`() async throws {
    stub.stub(.get, "/x", with: .status(.ok, [.setCookie: "sid=1"]))
    let client = client([bearer(ann)]) { $0.networkMiddleware = [.cookies()] }
    try await client.send(Request<Void>.get("/x"))
    await client.signIn(with: bob)
    try await client.send(Request<Void>.get("/x"))
    #expect(authorizations() == ["Bearer ann", "Bearer bob"])
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
  }

  @Test func `a client without a token forgets cookies and responses`() async throws {
    stub.stub(.get, "/x", with: .status(.ok, [.setCookie: "sid=1"]))
    let client = client([]) { $0.networkMiddleware = [.cookies()] }
    try await client.send(Request<Void>.get("/x"))
    await client.signOut()
    try await client.send(Request<Void>.get("/x"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
  }

  @Test func `cookies of a response in flight are not stored`() async throws {
    let gate = stub.hold(.get, "/x")
    let client = client([]) { $0.networkMiddleware = [.cookies()] }
    async let first: Void = client.send(Request<Void>.get("/x"))
    await gate.waitForRequests(1)
    await client.signOut()
    gate.respondToAll(with: .status(.ok, [.setCookie: "sid=1"]))
    try await first
    try await client.send(Request<Void>.get("/x"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
  }

  @Test func `requests that wait for a token end and the token is dropped`() async throws {
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    let changes = Log()
    let client = client([bearer(ann, changes)])
    async let first = client.result(of: Request<Int>.get("/x"))
    await grants.waitForRequests(1)
    await client.signOut()
    #expect(await first.failure?.isCancelled == true)
    await client.signIn(with: bob)
    grants.respond(with: .data(Data("ann2".utf8), contentType: "text/plain"))
    // The refresh has ended when the next one is allowed.
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    async let second = client.send(Request<Int>.get("/x"))
    await grants.waitForRequests(2)
    grants.respond(with: .data(Data("bob2".utf8), contentType: "text/plain"))
    #expect(try await second == 1)
    #expect(authorizations() == ["Bearer ann", "Bearer bob", "Bearer bob2"])
    #expect(changes.lines == ["nobody", "bob", "bob2"])
  }

  @Test func `a call that waits for a retry is not sent as the next user`() async throws {
    stub.stub(.post, "/pay", with: .status(.serviceUnavailable, [.retryAfter: "5"]), .json("1"))
    let client = client([.retrying(), bearer(ann)])
    async let payment = client.result(of: Request<Int>.post("/pay").retryable())
    await clock.waitForSleepers(2)
    await client.signIn(with: bob)
    clock.advance(by: .seconds(6))
    #expect(await payment.failure?.isCancelled == true)
    #expect(authorizations() == ["Bearer ann"])
  }

  @Test func `a refusal after the sign-out starts no refresh`() async throws {
    let gate = stub.hold(.get, "/x")
    let client = client([bearer(ann)])
    async let first = client.result(of: Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await client.signIn(with: bob)
    gate.respond(with: .status(.unauthorized))
    #expect(await first.failure?.isCancelled == true)
    #expect(tokens.requests.isEmpty && stub.requests.count == 1)
  }

  @Test func `a refresh without a token signs the user out`() async throws {
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    stub.stub(.get, "/cookie", with: .status(.ok, [.setCookie: "sid=1"]))
    let changes = Log()
    let client = client([bearer(ann, changes)]) { $0.networkMiddleware = [.cookies()] }
    try await client.send(Request<Void>.get("/cookie"))
    grants.respond(with: .status(.ok))
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.isCancelled == true)
    await eventually { changes.lines == ["nobody"] }
    await client.signOut()
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(authorizations() == ["Bearer ann", "Bearer ann", nil])
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
  }
}
