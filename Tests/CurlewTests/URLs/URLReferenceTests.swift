import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct URLReferenceTests {
  private let stub = StubTransport()
  private let client: Client

  init() {
    client = .stubbed(by: stub, baseURL: "https://api.example.com/v1")
    stub.stub(.get, "/**", with: .json("1"))
  }

  /// The URLs that a client for https://api.example.com/v1 requests for a reference.
  @Test(
    arguments: [
      ("https://files.example/a%2Fb%20c?X-Amz-Signature=a%2Bb/c+d%7e&x=", nil),
      ("https://files.example/a/../b/./c//?list=1&q=~!$'()*,;:@/?", nil),
      ("https://[::1]:8080/%5Ba]?b[]=%5B", "https://[::1]:8080/%5Ba%5D?b%5B%5D=%5B"),
      ("https://files.example/%zz?q=%", "https://files.example/%25zz?q=%25"),
      (
        "https://files.example/ü b?q=ü\"{}|",
        "https://files.example/%C3%BC%20b?q=%C3%BC%22%7B%7D%7C"
      ),
      ("HTTPS://Files.Example:443?a=1", "https://files.example/?a=1"),
      ("http://files.example:8080/a#top?x", "http://files.example:8080/a"),
      ("//files.example/x", "https://files.example/x"),
      ("/next?cursor=a%2Bb", "https://api.example.com/next?cursor=a%2Bb"),
      ("next?cursor=1", "https://api.example.com/v1/next?cursor=1"),
      ("?page=2", "https://api.example.com/v1/?page=2"),
      ("../a/./b/..", "https://api.example.com/a/"),
      ("/x\r\nHost: evil", "https://api.example.com/x%0D%0AHost:%20evil"),
      ("/a:b?c:d", "https://api.example.com/a:b?c:d"), ("#top", "https://api.example.com/v1/"),
    ] as [(String, String?)])
  func `the URL is sent as it is`(text: String, url: String?) async throws {
    let reference = try URLReference(text)
    _ = try await client.send(Request<Int>.get(.url(reference)))
    #expect(stub.requests.map(\.url) == [url ?? text])
    // `URLSession` accepts the URL.
    #expect(URL(string: url ?? text, encodingInvalidCharacters: false) != nil)
  }

  @Test(arguments: [
    ("https://a.example/x", "https://a.example/x?page=2&q=a%20b"),
    ("https://a.example/x?", "https://a.example/x?page=2&q=a%20b"),
    ("https://a.example/x?sig=%2b", "https://a.example/x?sig=%2b&page=2&q=a%20b"),
    ("https://a.example/x?sig=1&", "https://a.example/x?sig=1&page=2&q=a%20b"),
  ])
  func `an endpoint's query is appended`(text: String, url: String) async throws {
    let path = Path.url(try URLReference(text))
    _ = try await client.send(Request<Int>.get(path, query: ["page": 2, "q": "a b"]))
    #expect(stub.requests.map(\.url) == [url])
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("ftp://a.example/x", "it must begin with http:// or https://, or be relative"),
    ("mailto:ann@example.com", "it must begin with http:// or https://, or be relative"),
    ("https:/x", "its host is missing or malformed"),
    ("https://", "its host is missing or malformed"),
    ("https://a.example:0/", "the port must be between 1 and 65535"),
    ("https://ann:hunter2@a.example/", "it must not contain a user or a password"),
    ("//ann:hunter2@a.example/", "it must not contain a user or a password"),
  ])
  func `a malformed text is an error`(text: String, reason: String) {
    let error = #expect(throws: URLParsingError.self) { try URLReference(text) }
    #expect(error?.reason == reason)
    #expect(error.map { !"\($0)\($0.localizedDescription)".contains("hunter2") } == true)
  }

  @Test func `a URL is a reference`() throws {
    let url = try #require(URL(string: "https://a.example/x?y=%20"))
    #expect(try URLReference(url) == "https://a.example/x?y=%20")
    #expect(try URLReference(url).text == "https://a.example/x?y=%20")
    #expect(try URLReference(url).hashValue == URLReference("https://a.example/x?y=%20").hashValue)
  }

  @Test func `an endpoint of your own may have a URL`() async throws {
    struct Upload: Endpoint {
      let link: URLReference
      var request: Request<Void> { .put(.url(link), body: .data(Data("abc".utf8))) }
    }
    let upload = Upload(link: "https://files.example/a?sig=1")
    stub.stub(upload, with: .status(.ok))
    try await client.send(upload)
    #expect(stub.requests.map(\.url) == ["https://files.example/a?sig=1"])
    #expect(stub.requests.first?.body?.data == Data("abc".utf8))
  }

  @Test func `a stub of a link responds to that link only`() async throws {
    let page = { (number: Int) in
      Request<Int>.get(.url(try! URLReference("https://api.example.com/v1/x?page=\(number)")))
    }
    for number in [2, 3] { stub.stub(page(number), with: .json("\(number)")) }
    #expect(try await client.send(page(2)) == 2)
    #expect(try await client.send(page(3)) == 3)
    stub.stub(.get, "/y", with: .json("7"))
    #expect(try await client.send(Request<Int>.get("/y")) == 7)
  }

  @Test func `no text shows a signature`() async throws {
    let names = [
      "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "x-goog-signature", "sig",
      "Signature", "token", "jwt",
    ]
    for name in names {
      let link = try URLReference("https://files.example/x?a=1&\(name)=hunter2&b=2#token=hunter2")
      let request = Request<Int>.get(.url(link), query: ["pin": Sensitive("hunter2")])
      stub.stub(.get, "/x", with: .json(#"{"message": "bad hunter2"}"#, status: .forbidden))
      let error = try #require(await client.result(of: request).failure)
      for value in [link, request, request.path, error, stub.requests] as [Any] {
        #expect(!allTexts(of: value).contains("hunter2"))
      }
      #expect("\(link)" == "https://files.example/x?a=1&\(name)=***&b=2")
      #expect("\(request)" == "GET https://files.example/x?a=1&\(name)=***&b=2&pin=***")
    }
  }
}
