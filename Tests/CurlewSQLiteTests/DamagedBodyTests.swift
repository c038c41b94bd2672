import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// A stored body that is damaged, or replaced while it is read, causes a new request, but no failure.
@Suite(.timeLimit(.minutes(5)))
struct DamagedBodyTests {
  /// Returns a client whose server sends a large body.
  private func client(_ storage: SQLiteCacheStorage) -> (Client, StubTransport, Data) {
    let stub = StubTransport()
    let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    stub.stub(
      .get, "/a", with: .sample(Sample(headerFields: [.cacheControl: "max-age=600"], body: body)))
    let cache = ResponseCache(storage)
    return (Client.stubbed(by: stub) { $0.cache = cache }, stub, body)
  }

  private func read(_ client: Client) async throws -> Data {
    var data = Data()
    for try await chunk in try await client.stream(Request<Data>.get("/a")) { data += chunk }
    return data
  }

  @Test(arguments: [false, true])
  func `damaged body is requested again`(isStreamed: Bool) async throws {
    let folder = try Folder()
    let (client, stub, body) = client(folder.storage())
    _ = try await client.send(Request<Data>.get("/a"))
    try await folder.damage("data", of: "chunks")
    let data = try await isStreamed ? read(client) : client.send(Request<Data>.get("/a"))
    #expect(data == body)
    #expect(stub.requests.count == 2)
    // The response is stored again.
    #expect(try await client.send(Request<Data>.get("/a")) == body)
    #expect(stub.requests.count == 2)
  }

  @Test func `body that is replaced while it is read is read to its end`() async throws {
    let folder = try Folder()
    let (client, stub, body) = client(folder.storage())
    _ = try await client.send(Request<Data>.get("/a"))
    var data = Data()
    let stream = try await client.stream(Request<Data>.get("/a"))
    _ = try await client.send(Request<Data>.get("/a"), cache: .reload)
    for try await chunk in stream { data += chunk }
    #expect(data == body)
    #expect(stub.requests.count == 2)
  }
}
