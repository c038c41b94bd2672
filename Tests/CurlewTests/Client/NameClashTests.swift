import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

// SwiftUI, SwiftData and Hummingbird declare types with these names.
private struct Path {}
private struct Query {}
private struct Request {}
private struct Response {}

private struct Notes: Endpoint {
  let page: Int
  var request: Curlew.Request<String> { .get("/notes", query: ["page": page]) }
}

@Suite struct NameClashTests {
  @Test func `endpoints are declared beside types of the same names`() async throws {
    let stub = StubTransport()
    stub.stub(Notes(page: 2), with: .data(Data("milk".utf8)))
    stub.stub(.get, "/one", with: .json("1"))
    let client = Client.stubbed(by: stub)

    #expect(try await client.send(Notes(page: 2)) == "milk")
    #expect(stub.requests.first?.head.path == "/notes?page=2")
    let one: Curlew.Response<Int> = try await client.response(for: Curlew.Request.get("/one"))
    #expect(one.value == 1)
  }
}
