import Curlew
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HeaderFieldsTests {
  private let stub = StubTransport()

  init() {
    stub.stub(.get, "/**", with: .json("1"))
  }

  private func authorization(
    _ middleware: StandardMiddleware, _ own: HTTPFields = [:]
  ) async throws -> String? {
    _ = try await Client.stubbed(by: stub) { $0.middleware = [middleware] }
      .send(Request<Int>.get("/x", headerFields: own))
    return stub.requests.last?.head.headerFields[.authorization]
  }

  @Test(arguments: [
    // RFC 7617 section 2.
    ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("", "", "Basic Og=="),
    // A password may contain a colon, a user name may not.
    ("a", "b:c", "Basic YTpiOmM="), ("a:b", "c", "Basic YWI6Yw=="),
    ("a\r\nX: y", "b", "Basic YQ0KWCB5OmI="),
  ])
  func `basic is written as RFC7617 says it`(user: String, password: String, value: String)
    async throws
  {
    #expect(try await authorization(.basic(user: user, password: password)) == value)
  }

  @Test(arguments: [
    (StandardMiddleware.basic(user: "a", password: "b"), "Basic YTpi"),
    (.bearer("abc"), "Bearer abc"),
  ])
  func `an endpoint's own credentials win`(middleware: StandardMiddleware, value: String)
    async throws
  {
    #expect(try await authorization(middleware) == value)
    #expect(try await authorization(middleware, [.authorization: "Own"]) == "Own")
  }

  @Test func `no text holds the password`() async throws {
    let middleware = StandardMiddleware.basic(user: "a", password: "hunter22")
    let quote = #"{"message": "No YTpodW50ZXIyMg==, which is hunter22."}"#
    stub.stub(.get, "/x", with: .json(quote, status: .forbidden))
    let client = Client.stubbed(by: stub) { $0.middleware = [middleware] }
    let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
    for text in [allTexts(of: middleware), allTexts(of: error)] {
      #expect(!text.contains("hunter22") && !text.contains("YTpodW50ZXIyMg=="))
    }
  }
}
