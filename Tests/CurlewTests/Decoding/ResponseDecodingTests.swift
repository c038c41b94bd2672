import Curlew
import CurlewTesting
import Dispatch
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResponseDecodingTests {
  private var (stub, client) = stubAndClient()

  @Test(arguments: [
    Sample.status(.noContent), .status(.resetContent), .status(.ok),
    .json("{\"ignored\": true}"), .json("not JSON", status: .created),
  ])
  func `void takes whatever a 2xx carries`(sample: Sample) async throws {
    let endpoint = Request<Void>.delete("/x")
    stub.stub(endpoint, with: .sample(sample))
    try await client.send(endpoint)
  }

  @Test func `data is the bytes`() async throws {
    let bytes = Data([0, 0xFF, 0xFE])
    stub.stub(.get, "/x", with: .data(bytes), .status(.noContent))
    #expect(try await client.send(Request<Data>.get("/x")) == bytes)
    #expect(try await client.send(Request<Data>.get("/x")).isEmpty)
  }

  @Test func `a string is the text`() async throws {
    stub.stub(
      .get, "/x", with: .data(Data("grüße".utf8), contentType: "text/plain"),
      .data(Data([0x67, 0xFC]), contentType: "text/plain; charset=ISO-8859-1"))
    #expect(try await client.send(Request<String>.get("/x")) == "grüße")
    #expect(try await client.send(Request<String>.get("/x")) == "gü")
  }

  @Test func `a string that is not UTF8 is a decoding error`() async {
    stub.stub(.get, "/x", with: .data(Data([0x67, 0xFC])))
    let error = await client.result(of: Request<String>.get("/x")).failure
    #expect(error?.decodingFailure?.reason.contains("UTF-8") == true)
  }

  @Test func `json is read by the client's decoder`() async throws {
    struct Node: Decodable, Sendable { let nodeId: Int }
    stub.stub(.get, "/x", with: .json(#"{"node_id": 7}"#, status: .accepted))
    let client = Client.stubbed(by: stub) {
      $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    }
    #expect(try await client.send(Request<Node>.get("/x")).nodeId == 7)
  }

  @Test(arguments: [HTTPResponse.Status.noContent, .ok])
  func `an empty body for JSON is a clear decoding error`(status: HTTPResponse.Status) async throws
  {
    stub.stub(.get, "/x", with: .status(status))
    let error = await client.result(of: Request<Issue>.get("/x")).failure
    let failure = try #require(error?.decodingFailure)
    #expect(failure.reason == "the body is empty.")
    #expect(failure.type == "Issue")
    #expect(error?.isRetryable == false)
  }

  /// kean/Get#57, Alamofire/Alamofire#2466 and #3088, joshuawright11/papyrus#50.
  @Test(
    arguments: [
      .status(.noContent), .status(.resetContent), .status(.ok), .json(""), .json("  \r\n\t"),
      .json("null"), .json(" null "),
    ] as [Sample])
  func `an empty body of an optional is nil`(sample: Sample) async throws {
    stub.stub(.get, "/x", with: .sample(sample))
    #expect(try await client.send(Request<Issue?>.get("/x")) == nil)
    #expect(try await client.send(Request<[Int]?>.get("/x")) == nil)
  }

  @Test(arguments: ["{", "nil", "\u{0}", "[]"])
  func `a damaged body of an optional is an error`(text: String) async throws {
    stub.stub(.get, "/x", with: .json(text))
    #expect(await client.result(of: Request<Issue?>.get("/x")).failure?.decodingFailure != nil)
  }

  @Test func `a decoding of one's own sees the head`() async throws {
    struct Missing: Error {}
    let count = Request(
      .get, "/x",
      decoding: ResponseDecoding<Int> { _, head, _ in
        guard let text = head.headerFields[.contentRange], let count = Int(text) else {
          throw Missing()
        }
        return count
      })
    stub.stub(count, with: .status(.ok, [.contentRange: "42"]), .status(.ok))
    #expect(try await client.send(count) == 42)
    #expect(await client.result(of: count).failure?.decodingFailure?.reason == "Missing()")
  }

  @Test @MainActor func `decoding leaves the caller's actor free`() async throws {
    // Decoding waits for the main actor, so it would time out if it ran there.
    let isFree = Request(
      .get, "/x",
      decoding: ResponseDecoding<Bool> { _, _, _ in
        let reached = DispatchSemaphore(value: 0)
        Task { @MainActor in reached.signal() }
        return reached.wait(timeout: .now() + 10) == .success
      })
    stub.stub(isFree, with: .status(.ok))
    #expect(try await client.send(isFree))
  }
}
