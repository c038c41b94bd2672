import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// The code of Extending.md.
@Suite(.timeLimit(.minutes(1)))
struct ExtendingPageTests {
  nonisolated struct CurlTransport: Transport {
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      let curl = try await CurlProcess(request)
      var (head, rest) = (HTTPResponse(status: .continue), Data())
      while head.status.kind == .informational {
        guard let end = rest.firstRange(of: Data("\r\n\r\n".utf8)) else {
          guard let chunk = try await curl.chunk() else {
            throw Client.TransportFailure(.protocolError, reason: "the response has no head")
          }
          rest += chunk
          continue
        }
        let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(
          separator: "\r\n")
        let code = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }
        head = HTTPResponse(status: .init(code: code.flatMap { Int($0) } ?? 0))
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
          head.headerFields.append(HTTPField(name: name, value: String(parts[1]).trimmed))
        }
        rest = Data(rest[end.upperBound...])
      }
      return IncomingResponse(
        head: head,
        body: ResponseBody { [rest] in
          var first: Data? = rest
          return {
            if let data = first.take(), !data.isEmpty { return data }
            return try await curl.chunk()
          }
        })
    }
  }

  nonisolated final class CurlProcess: Sendable {
    private let process = Process()
    private let (output, errors) = (Pipe(), Pipe())

    init(_ request: OutgoingRequest) async throws {
      let input = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/curl")
      process.arguments = [
        "--silent", "--include", "--no-buffer", "--globoff", "--path-as-is",
        "--suppress-connect-headers", "--write-out", "%{stderr}%{exitcode} %{errormsg}",
        // Other users of the machine see the arguments of a process: secrets are in its input.
        "--config", "-",
      ]
      (process.standardInput, process.standardOutput) = (input, output)
      process.standardError = errors
      var lines = [("url", request.url), ("request", request.head.method.rawValue)]
      lines += request.head.headerFields.map { ("header", "\($0.name): \($0.value)") }
      if let body = request.body {
        lines.append(("data-raw", String(decoding: try await body.collect(), as: UTF8.self)))
      }
      if request.head.method == .head { lines.append(("head", "")) }
      let config = lines.map { "\($0) = \"\($1.escaped)\"\n" }.joined()
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data(config.utf8))
      try input.fileHandleForWriting.close()
    }

    deinit { stop() }

    private func stop() {
      // Not `terminate()`: on Linux, a process that a thread of Dispatch starts blocks SIGTERM.
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Returns the next bytes of the response, or `nil` at its end.
    func chunk() async throws -> Data? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(with: Result { try self.read() }) }
        }
      } onCancel: {
        stop()
      }
    }

    private func read() throws -> Data? {
      let data = output.fileHandleForReading.availableData
      guard data.isEmpty else { return data }
      let report = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let code = Int(report.prefix { $0 != " " })
      guard code != 0 else { return nil }
      let kinds: [Int: Client.TransportFailure.Kind] = [
        6: .nameNotResolved, 7: .refused, 35: .tls, 60: .untrusted,
      ]
      throw Client.TransportFailure(code.flatMap { kinds[$0] } ?? .lost, reason: report)
    }
  }

  nonisolated struct OneTimeCode: Middleware {
    static let field = HTTPField.Name("X-GitHub-OTP")!
    let ask: @Sendable () async throws -> String
    var isStoppable: Bool { true }

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      let response = try await next(request)
      guard response.head.status == .unauthorized,
        response.head.headerFields[Self.field]?.hasPrefix("required") == true
      else { return response }
      await response.finishShortBody(of: request)
      var repeated = request
      do {
        repeated.head.headerFields[Self.field] = try await request.runInOwnTask(ask)
      } catch {
        throw request.failure(error)
      }
      return try await next(repeated)
    }
  }

  nonisolated final class DictionaryStorage: CacheStorage {
    typealias Stored = (key: CacheKey, response: StoredResponse, body: Data)
    /// The most recently used last, and the number of purges.
    private let state = Mutex<(stored: [Stored], purges: Int)>(([], 0))
    var isStoppable: Bool { true }

    func entries(for key: CacheKey) async -> [CacheEntry] {
      state.withLock { state in
        let found = state.stored.filter { $0.key == key }
        state.stored = state.stored.filter { $0.key != key } + found
        return found.map { ($0.response, ResponseBody($0.body)) }
      }
    }

    func store(
      _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
    ) async -> (any CacheWriter)? {
      let purges = state.withLock { $0.purges }
      return CollectingCacheWriter(response, room: 1 << 20) { response, body in
        self.state.withLock { state in
          // The user may have signed out while the body arrived.
          guard state.purges == purges else { return false }
          state.stored.removeAll { $0.key == key && replaced.contains($0.response.id) }
          state.stored = state.stored.suffix(99) + [(key, response, body)]
          return true
        }
      }
    }

    func update(_ response: StoredResponse, for key: CacheKey) async {
      state.withLock { state in
        let index = state.stored.firstIndex { $0.key == key && $0.response.id == response.id }
        if let index { state.stored[index].response = response }
      }
    }

    private func remove(isPurge: Bool = false, _ isRemoved: (Stored) -> Bool) {
      state.withLock { state in
        state.stored.removeAll(where: isRemoved)
        state.purges += isPurge ? 1 : 0
      }
    }

    func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
      remove { $0.key == key && ids.contains($0.response.id) }
    }

    func removeAll(at url: String) async { remove { $0.key.isAt(url, andBelow: false) } }
    func removeAll(of account: String?) async {
      remove(isPurge: true) { $0.key.account == account }
    }
    func removeAll() async { remove(isPurge: true) { _ in true } }

    func contents() async -> [(key: CacheKey, response: StoredResponse)] {
      state.withLock { state in state.stored.reversed().map { ($0.key, $0.response) } }
    }
  }

  // MARK: The transport

  nonisolated static let hasCurl =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
    || ProcessInfo.processInfo.environment["CI"] != nil

  private func withClient(
    _ clock: TestClock = TestClock(),
    _ test: @Sendable (Client, FaultServer) async throws -> Void
  ) async throws {
    try await withFaultServer { server in
      let client = Client(baseURL: server.baseURL) {
        $0.transport = CurlTransport()
        $0.clock = clock
      }
      try await test(client, server)
    }
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `curl is a transport`() async throws {
    try await withClient { client, server in
      server.handle(.get, "/notes") { exchange in
        try await exchange.respond(200, [("X-Kind", "a: b")], "one\r\n\r\ntwo")
      }
      server.stub(.post, "/notes", with: .status(.created))
      server.stub(.head, "/notes", with: .status(.noContent))
      server.stub(.get, "/none", with: .json(#"{"message": "no such note"}"#, status: .notFound))
      let notes = try await client.response(
        for: Request<String>.get("/notes", query: ["q": "[a-c] & \"d\""]))
      #expect(notes.value == "one\r\n\r\ntwo")
      #expect(notes.head.headerFields[HTTPField.Name("X-Kind")!] == "a: b")
      let text = "a \"quoted\" \\ text\r\n\twith lines"
      try await client.send(Request<Void>.post("/notes", body: .data(Data(text.utf8))))
      #expect(server.requests.map(\.text) == ["", text])
      #expect(server.requests.first?.target == "/notes?q=%5Ba-c%5D%20%26%20%22d%22")
      try await client.send(Request<Void>(.head, "/notes", decoding: .discarded))
      let error = await client.result(of: Request<String>.get("/none")).failure
      #expect(error?.status == .notFound)
    }
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `time limits and cancellation stop curl`() async throws {
    let clock = TestClock()
    try await withClient(clock) { client, server in
      let gate = server.hold(.get, "/slow")
      let task = Task { await client.result(of: Request<String>.get("/slow")) }
      await gate.waitForRequests(1)
      clock.advance(by: Limits().firstByte!)
      #expect(await task.value.failure?.timeoutFailure?.limit == .firstByte)
      await server.waitForClosedConnections(1)
    }
    try await withClient { client, server in
      let gate = server.hold(.get, "/slow")
      let task = Task { await client.result(of: Request<String>.get("/slow")) }
      await gate.waitForRequests(1)
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
      await server.waitForClosedConnections(1)
    }
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `curl reports a refused connection`() async throws {
    let client = Client(baseURL: "http://127.0.0.1:1") { $0.transport = CurlTransport() }
    let error = await client.result(of: Request<String>.get("/")).failure
    #expect(error?.transportFailure?.kind == .refused)
  }

  // MARK: The middleware and the storage

  @Test func `a one-time code is asked for once`() async throws {
    let stub = StubTransport()
    stub.stub(
      .get, "/user", with: .status(.unauthorized, [OneTimeCode.field: "required; app"]), .json("1"))
    let client = Client.stubbed(by: stub) { $0.middleware = [OneTimeCode { "123 456" }] }
    #expect(try await client.send(Request<Int>.get("/user")) == 1)
    #expect(stub.requests.map { $0.head.headerFields[OneTimeCode.field] } == [nil, "123 456"])
  }

  @Test func `the code's question ends with the call`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    stub.stub(.get, "/user", with: .status(.unauthorized, [OneTimeCode.field: "required; app"]))
    let client = Client.stubbed(by: stub) {
      ($0.clock, $0.limits.total) = (clock, .seconds(60))
      $0.middleware = [
        OneTimeCode {
          try await Task.sleep(for: .seconds(600), clock: clock)
          return ""
        }
      ]
    }
    let task = Task { await client.result(of: Request<Int>.get("/user")) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(60))
    #expect(await task.value.failure?.timeoutFailure?.limit == .total)
  }

  @Test func `a dictionary is a cache`() async throws {
    let stub = StubTransport()
    stub.stub(
      .get, "/user",
      with: .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data("1".utf8))),
      .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data("2".utf8))))
    let cache = ResponseCache(DictionaryStorage())
    let client = Client.stubbed(by: stub) { $0.cache = cache }
    for _ in 0..<2 { #expect(try await client.send(Request<Int>.get("/user")) == 1) }
    #expect(stub.requests.count == 1)
    #expect(await cache.contents().count == 1)
    await cache.removeAll()
    #expect(try await client.send(Request<Int>.get("/user")) == 2)
  }
}

extension String {
  nonisolated fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }

  /// This text between quotation marks in curl's configuration.
  nonisolated fileprivate var escaped: String {
    // By scalars: "\r\n" is a single character.
    let escapes: [Unicode.Scalar: String] = [
      "\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
    return unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}
