import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Calls from the main actor, which neither encoding nor decoding blocks.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct CallerActorTests {
  /// A value that records where it is encoded.
  final class Spy: Encodable, Sendable {
    let wasOnMainActor = Mutex<[Bool]>([])

    func encode(to encoder: any Encoder) throws {
      wasOnMainActor.withLock { $0.append(isOnMainActor()) }
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .value)
    }

    enum Key: CodingKey { case value }
  }

  /// A value that records where it was decoded.
  struct Decoded: Decodable, Equatable {
    let isFromMainActor: Bool

    init(from decoder: any Decoder) throws { isFromMainActor = isOnMainActor() }
  }

  enum Kind: CaseIterable {
    case json, form, part

    func body(of spy: Spy) -> RequestBody {
      switch self {
      case .json: .json(spy)
      case .form: .form(encoding: spy)
      case .part: .multipart(["spy": .json(spy)])
      }
    }
  }

  enum Way: CaseIterable {
    case send, result, response, pages, stream, download, lines, events
  }

  private var (stub, client) = stubAndClient()

  /// Calls an endpoint, and returns the decoded values.
  private func call(_ endpoint: Request<Decoded>, _ way: Way) async throws -> [Decoded] {
    var decoded: [Decoded] = []
    switch way {
    case .send: decoded.append(try await client.send(endpoint))
    case .result: decoded.append(try await client.result(of: endpoint).get())
    case .response: decoded.append(try await client.response(for: endpoint).value)
    case .pages:
      for try await page in client.pages(of: endpoint, limit: 1) { decoded.append(page.value) }
    case .stream: for try await _ in try await client.stream(endpoint) {}
    case .download:
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      _ = try await client.download(endpoint, to: file)
    case .lines: for try await value in client.jsonLines(endpoint) { decoded.append(value) }
    case .events: for try await value in client.events(endpoint).values { decoded.append(value) }
    }
    return decoded
  }

  @Test func `the check knows the main actor`() async {
    #expect(isOnMainActor())
    await Task.yield()
    #expect(isOnMainActor())
    #expect(await Task.detached { isOnMainActor() }.value == false)
  }

  @Test(arguments: Way.allCases, Kind.allCases)
  func `bodies are encoded and decoded off the caller's actor`(way: Way, kind: Kind) async throws {
    let (content, type) =
      way == .events ? ("data: {}\n\n", "text/event-stream") : ("{}", "application/json")
    stub.stub(.post, "/x", with: .data(Data(content.utf8), contentType: type))
    let spy = Spy()
    let decoded = try await call(.post("/x", body: kind.body(of: spy)), way)
    let encoded = spy.wasOnMainActor.withLock { $0 }
    #expect(!encoded.isEmpty && !encoded.contains(true))
    #expect(decoded.isEmpty == [.stream, .download].contains(way))
    #expect(!decoded.contains { $0.isFromMainActor })
  }

  @Test func `an endpoint's URL is found without its body`() async {
    let spy = Spy()
    let client = Client.stubbed(by: stub) { $0.cache = .memory() }
    await client.invalidate(Request<Void>.post("/x", body: .json(spy)))
    #expect(spy.wasOnMainActor.withLock { $0 } == [])
  }
}
