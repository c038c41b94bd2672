import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QueryTests {
  @Test func nilDropsItsItem() {
    let page: Int? = nil
    let text: String? = "x"
    let query: Query = ["page": page, "q": text, "sort": nil]
    #expect(query.encoded == "q=x")
  }

  @Test func anArrayRepeatsItsName() {
    let query: Query = ["labels": ["bug", "help wanted"], "none": [String](), "page": 2]
    #expect(query.encoded == "labels=bug&labels=help%20wanted&page=2")
  }

  @Test func aNameMayComeMoreThanOnceAndOrderStays() {
    let query: Query = ["b": 1, "a": true, "b": 2.5]
    #expect(query.encoded == "b=1&a=true&b=2.5")
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("c++", "c%2B%2B"), ("a&b=c", "a%26b%3Dc"), ("#?/", "%23%3F%2F"),
    ("100%", "100%25"), ("ü", "%C3%BC"), ("", ""), ("\r\n", "%0D%0A"), ("~-._", "~-._"),
    ("'();", "%27%28%29%3B"),
  ])
  func namesAndValuesAreEncoded(text: String, encoded: String) {
    #expect(Query([Query.Item("q", text)]).encoded == "q=\(encoded)")
    #expect(Query([Query.Item(text, "1")]).encoded == "\(encoded)=1")
  }

  @Test func anEmptyQuerySendsNoQuestionMark() async throws {
    let stub = StubTransport()
    stub.stub(.get, "/**", with: .json("1"))
    let client = Client.stubbed(by: stub)
    let page: Int? = nil
    _ = try await client.send(Request<Int>.get("/a"))
    _ = try await client.send(Request<Int>.get("/a", query: ["page": page]))
    _ = try await client.send(Request<Int>.get("/a", query: ["q": "c++ ü"]))
    #expect(stub.requests.map(\.head.path) == ["/a", "/a", "/a?q=c%2B%2B%20%C3%BC"])
  }

  @Test func aSensitiveValueIsSentButNotShown() async throws {
    let query: Query = ["q": "x", "pin": Sensitive("hunter2")]
    #expect(query.encoded == "q=x&pin=hunter2")
    #expect("\(query)" == "q=x&pin=***")
    for item in query.items { #expect(!"\(item) \(String(reflecting: item))".contains("hunter2")) }
    var dumped = ""
    dump(query, to: &dumped)
    dump(Sensitive("hunter2"), to: &dumped)
    #expect(!dumped.contains("hunter2"))
    #expect(
      !"\(Sensitive("hunter2"))\(String(reflecting: Sensitive("hunter2")))".contains("hunter2"))
  }
}
