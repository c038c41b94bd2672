import Curlew
import CurlewJSON
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Responses that ended the process in Foundation's decoder, each way in which a client reads JSON.
///
/// `CURLEW_FUZZ=100000` sets the number of random texts.
@Suite(.timeLimit(.minutes(10)))
struct HostileJSONTests {
  private struct Node: Decodable, Sendable, Equatable { let a: Int }

  /// The client's own decoder, Foundation's, and both with JSON5.
  private static var decoders: [JSONDecoder] {
    let decoders = [FastJSONDecoder(), JSONDecoder(), FastJSONDecoder(), JSONDecoder()]
    for decoder in decoders.suffix(2) { decoder.allowsJSON5 = true }
    decoders[3].assumesTopLevelDictionary = true
    return decoders
  }

  private static let texts = HostileJSON.nested + HostileJSON.json5

  /// Calls a function with each text and the clients of the first decoders; the deepest texts only with the first.
  private static func forEach(
    of texts: [Data] = texts + random(), decoders count: Int = 2,
    _ body: (Client, StubTransport, Data) async -> Void
  ) async {
    let stub = StubTransport()
    for (index, decoder) in decoders.prefix(count).enumerated() {
      let client = Client.stubbed(by: stub) {
        $0.jsonDecoder = decoder
        $0.limits = .endless
      }
      for text in texts + (index == 0 ? HostileJSON.deepest : []) {
        await body(client, stub, text)
      }
    }
  }

  private static func random() -> [Data] {
    var random = SeededGenerator(seed: Fuzz.seed())
    return (0..<Fuzz.runs(2_000, of: 4)).map { _ in HostileJSON.noise(&random) }
  }

  @Test func `responses never end the process`() async {
    await #expect(processExitsWith: .success) {
      await Self.forEach(of: Self.texts, decoders: 4) { client, stub, text in
        stub.stub(.get, "/x", with: .data(text))
        let result = await client.result(of: Request<Node>.get("/x"))
        #expect(result.failure?.decodingFailure != nil, "\(text.prefix(9)) \(text.count)")
      }
    }
    await #expect(processExitsWith: .success) {
      await Self.forEach(of: Self.random(), decoders: 4) { client, stub, text in
        stub.stub(.get, "/x", with: .data(text))
        _ = await client.result(of: Request<[Node]>.get("/x"))
      }
    }
  }

  @Test func `error bodies never end the process`() async {
    await #expect(processExitsWith: .success) {
      await Self.forEach { client, stub, text in
        stub.stub(.get, "/x", with: .data(text, status: .badRequest))
        let result = await client.result(of: Request<Int>.get("/x").errorBody(Node.self))
        #expect(result.failure?.statusFailure?.body(as: Node.self) == nil)
      }
    }
  }

  @Test func `JSON Lines never end the process`() async {
    await #expect(processExitsWith: .success) {
      await Self.forEach { client, stub, text in
        stub.stub(.get, "/x", with: .data(text))
        _ = await client.jsonLines(Request<Node>.get("/x")).collect()
      }
    }
  }

  @Test func `data of events never ends the process`() async {
    await #expect(processExitsWith: .success) {
      await Self.forEach { client, stub, text in
        let event = Data("data: ".utf8) + text + Data("\n\n".utf8)
        stub.stub(
          .get, "/x", with: .data(event, contentType: "text/event-stream"), .status(.noContent))
        _ = await client.events(Request<Node>.get("/x")).values.collect()
      }
    }
  }

  @Test func `records of partial files never end the process`() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "hostile-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let stub = StubTransport()
      stub.stub(.get, "/x", with: .text("new"))
      let client = Client.stubbed(by: stub)
      for text in Self.texts + HostileJSON.deepest + Self.random() {
        try Data("old".utf8).write(to: folder.appending(path: ".x.download"))
        try text.write(to: folder.appending(path: ".x.download.json"))
        let file = folder.appending(path: "x")
        let result = try? await client.download(
          Request<Data>.get("/x"), to: file, options: DownloadOptions(ifExists: .replace))
        #expect(result != nil)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
      }
    }
  }
}
