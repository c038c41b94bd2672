import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestBodyTests {
  private let stub = StubTransport()
  private let client: Client

  init() {
    stub.stub(.post, "/**", with: .status(.noContent))
    client = .stubbed(by: stub) { $0.jsonEncoder.keyEncodingStrategy = .convertToSnakeCase }
  }

  private func sent(
    _ body: RequestBody, headerFields: HTTPFields = [:]
  ) async throws -> (type: String?, text: String?) {
    try await client.send(
      Request<Void>.post("/x", headerFields: headerFields, body: body))
    let request = try #require(stub.requests.last)
    return (
      request.head.headerFields[.contentType],
      request.body?.data.map { String(decoding: $0, as: UTF8.self) }
    )
  }

  @Test func `none sends nothing`() async throws {
    let (type, text) = try await sent(.none)
    #expect(type == nil && text == nil)
  }

  @Test func `json is written by the client's encoder`() async throws {
    struct Label: Encodable { let nodeName = "ü/\"" }
    let (type, text) = try await sent(.json(Label()))
    #expect(type == "application/json")
    #expect(text == #"{"node_name":"ü\/\""}"#)
  }

  @Test func `a form is encoded as browsers do`() async throws {
    let (type, text) = try await sent(
      .form(["grant_type": "a b", "c++": "50%20", "ü": ["1", "&"], "x": nil]))
    #expect(type == "application/x-www-form-urlencoded")
    #expect(text == "grant_type=a+b&c%2B%2B=50%2520&%C3%BC=1&%C3%BC=%26")
  }

  @Test func `data is sent as it is`() async throws {
    let (type, text) = try await sent(.data(Data("a,b".utf8), contentType: "text/csv"))
    #expect(type == "text/csv" && text == "a,b")
    #expect(try await sent(.data(Data())).type == "application/octet-stream")
  }

  @Test func `the endpoint's content type wins`() async throws {
    let (type, _) = try await sent(
      .json(["a": 1]), headerFields: [.contentType: "application/vnd.api+json"])
    #expect(type == "application/vnd.api+json")
  }
}
