import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// A secret in a body is masked in every kind of body that quotes it.
@Suite(.timeLimit(.minutes(1)))
struct QuotedSecretsTests {
  private static let secret = "hunter-4711"
  private static let part =
    "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n"

  @Test(
    arguments: [
      ("application/json", #"{"a": {"Token": ["\#(secret)"]}}"#),
      ("application/json", #"{"token": "\#(secret)", "damaged": }"#),
      (
        "application/json",
        #"{"token": "\#(secret)", "long": ""# + String(repeating: "-", count: 200)
      ),
      ("application/x-ndjson", "{\"a\": 1}\n{\"token\": \"\(secret)\"}\n"),
      ("text/event-stream", "data: {\"token\": \"\(secret)\"}\n\n"),
      ("text/plain", #"{"token": "\#(secret)"}"#),
      ("multipart/form-data; boundary=b", part),
      ("application/x-www-form-urlencoded", "a=1&password=\(secret)"),
    ])
  func `a secret in a body is masked elsewhere`(type: String, body: String) async throws {
    for isRequest in [true, false] {
      let (stub, recorder) = (StubTransport(), HARRecorder(bodyLimit: 150))
      let client = Client.recorded(by: recorder, stub: stub)
      let data = Data(body.utf8)
      let quotes = StubResponse.data(Data("It is \(Self.secret).".utf8), contentType: "text/html")
      stub.stub(
        .post, "/x", with: isRequest ? quotes : .data(data, contentType: type), quotes)
      for body in [isRequest ? RequestBody.data(data, contentType: type) : .none, .none] {
        _ = try await client.send(Request<Void>.post("/x", body: body))
      }
      let har = recorder.checkedHAR()
      #expect(har.entries.count == 2)
      let texts = har.entries.flatMap { [$0.body ?? Data(), $0.response.body] }
        .map { String(decoding: $0, as: UTF8.self) }
      #expect(texts.last == "It is ***.")
      #expect(!texts.contains { $0.contains(Self.secret) }, "\(texts)")
    }
  }

  @Test func `users in the links of a body are masked`() async throws {
    let (stub, recorder) = (StubTransport(), HARRecorder())
    let body =
      #"{"a": "https://ann:pass-4711@a.b/x.git", "b": "git:\/\/token-4711@a.b\/", "#
      + #""c": "https://a.b/@ann", "d": "mail: ann@a.b"}"#
    stub.stub(.get, "/x", with: .json(body))
    _ = try await Client.recorded(by: recorder, stub: stub).send(Request<Data>.get("/x"))
    let recorded = String(
      decoding: recorder.checkedHAR().entries[0].response.body, as: UTF8.self)
    #expect(
      recorded
        == #"{"a": "https://***@a.b/x.git", "b": "git:\/\/***@a.b\/", "#
        + #""c": "https://a.b/@ann", "d": "mail: ann@a.b"}"#)
  }

  @Test func `a request body that is encoded is not recorded`() async throws {
    let (stub, recorder) = (StubTransport(), HARRecorder())
    stub.stub(.post, "/x", with: .json("1"))
    // Simulates a compressing middleware: secrets can't be found in the compressed body.
    _ = try await Client.recorded(by: recorder, stub: stub).send(
      Request<Void>.post(
        "/x", headerFields: [.contentEncoding: "gzip"],
        body: .data(Data("compressed".utf8), contentType: "application/json")))
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.body == nil && entry.bodySize == 10)
    #expect(entry.comment == "The request's body was encoded and is not recorded.")
  }

  @Test(arguments: [50, .max])
  func `a thousand tokens are looked for in one pass`(bodyLimit: Int) async throws {
    let (stub, recorder) = (StubTransport(), HARRecorder(bodyLimit: bodyLimit))
    let client = Client.recorded(by: recorder, stub: stub)
    let start = String(repeating: "abcdefgh", count: 6)
    let values = Array(repeating: "\"\(start)-unlike\"", count: 10)
    stub.stub(.get, "/x", with: .json("[\(values.joined(separator: ","))]"))
    for number in 1_000..<2_000 {
      _ = try await client.send(
        Request<Void>.get("/x", headerFields: [.authorization: "Bearer \(start)\(number)"]))
    }
    #expect(recorder.har.entries.count == 1_000)
  }
}
