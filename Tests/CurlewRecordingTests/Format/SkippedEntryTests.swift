import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Each entry is read by itself: ulixee/hero#158, php-embed/Embed#557, lightbody/browsermob-proxy#285,
/// wanghongenpin/proxypin#678, zaproxy/zaproxy#8500, mitmproxy/mitmproxy#3734.
@Suite(.timeLimit(.minutes(1)))
struct SkippedEntryTests {
  private static let request = #""request": {"method": "GET", "url": "https://a.b"}"#
  private static let good = "{\(request), \"response\": {\"status\": 200}}"

  private func read(_ entry: String) throws -> HAR {
    try HAR(data: Data(#"{"log": {"entries": [\#(Self.good), \#(entry), \#(Self.good)]}}"#.utf8))
  }

  private static func response(_ members: String) -> String {
    "{\(request), \"response\": {\(members)}}"
  }

  /// Entries, or the members of a response of 200, and the reasons.
  ///
  /// HTTPTypes holds statuses of three digits. Chrome saves 0 for a request without a response, Playwright -1. `size` is that
  /// of the decoded content (HAR 1.2); -1 is unknown.
  private static let oddities = #"""
    {"response": {"status": 200}} -> its request is missing
    {"request": {"method": "GET"}, "response": {"status": 200}} -> its request.url is missing
    {"request": {"url": "https://a.b"}, "response": {"status": 200}} -> its request.method is missing
    {REQUEST} -> its response is missing
    {REQUEST, "response": null} -> its response is null
    {REQUEST, "response": {}} -> its response.status is missing
    "status": null -> its response.status is null
    {"request": {"method": "GET", "url": 7}, "response": {"status": 200}} -> its request.url has the wrong type
    {"request": {"method": "GET", "url": null}, "response": {"status": 200}} -> its request.url is null
    {"request": {"method": "GET", "url": ""}, "response": {"status": 200}} -> its request.url is empty
    {"request": {"method": "GET", "url": "/x?token=1"}, "response": {"status": 200}} -> its request.url "/x?token=***" is not a URL
    {"request": {"method": "GET", "url": "data:text/plain,x"}, "response": {"status": 200}} -> its request.url is not an http or https URL
    {"request": {"method": "G T", "url": "https://a.b"}, "response": {"status": 200}} -> its request.method "G T" is not a method
    "status": "OK" -> its response.status has the wrong type
    "status": 200.5 -> its response.status is malformed, or not an integer, or too large
    "status": 1000 -> its response.status 1000 is not an HTTP status
    "status": 99 -> its response.status 99 is not an HTTP status
    "status": 1 -> its response.status 1 is not an HTTP status
    "status": 9223372036854775807 -> its response.status 9223372036854775807 is not an HTTP status
    "status": 0, "_error": "net::ERR_FAILED" -> it has no response: net::ERR_FAILED
    "status": -1, "_failureText": "net::ERR_ABORTED" -> it has no response: net::ERR_ABORTED
    "status": 0 -> it has no response
    "status": 200, "content": {"encoding": "base64", "text": "%%"} -> its response.content.text is not valid base64
    "status": 200, "content": {"encoding": "gzip", "text": "x"} -> its response.content.encoding "gzip" is not supported, only base64
    "status": 200, "headers": {} -> its response.headers has the wrong type
    "status": 200, "content": {"text": 7} -> its response.content.text has the wrong type
    "status": 200, "content": {"size": 1234} -> its response.content was not recorded
    "status": 200, "content": {"size": "1234", "text": ""} -> its response.content was not recorded
    "status": 201, "content": {"size": -1} -> its response.content was not recorded
    "status": 200, "headers": [{"name": "Content-Length", "value": 12}], "content": {} -> its response.content was not recorded
    "status": 200, "content": {"size": 7, "_file": "f1.json"} -> its body's _file "f1.json" is beside the recording, which was not read from a file
    7 -> it has the wrong type
    null -> it is null
    [] -> it has the wrong type
    """#.split(separator: "\n")

  @Test(arguments: oddities)
  func `An odd entry is skipped with a reason`(oddity: Substring) throws {
    let (_, text, reason) = try #require(oddity.wholeMatch(of: /(.*) -> (.*)/)).output
    let whole = text.hasPrefix("\"") ? Self.response(String(text)) : String(text)
    let har = try read(whole.replacing("REQUEST", with: Self.request))
    #expect(har.entries.count == 2)
    #expect(har.skipped.map(\.number) == [2])
    #expect(har.skipped.map(\.reason) == [String(reason)])
  }

  /// Tools write numbers as texts, and the reverse; Selenium, browsermob-proxy and mitmproxy.
  @Test(arguments: [
    (#""status": "200""#, "200 "), (#""status": 200.0"#, "200 "),
    (#""status": 204, "content": {"size": 12}"#, "204 "),
    (#""status": 200, "headers": null, "content": null"#, "200 "),
    (#""status": 200, "content": {"size": 0}"#, "200 "),
    (#""status": 200, "content": {"size": -1, "text": ""}"#, "200 "),
    (
      #""status": 200, "content": {"size": 1, "text": "1", "mimeType": 7}, "redirectURL": 7"#,
      "200 1"
    ),
    (#""status": 302, "redirectURL": "/x", "content": {"size": 1234}"#, "302 "),
    (#""status": 404, "content": {"size": 1234}"#, "404 "),
    (#""status": 304, "content": {"size": 9}"#, "304 "),
    // Twitter, LinkedIn: HTTPTypes holds three digits.
    (#""status": 999"#, "999 "), (#""status": 600, "content": {"text": "x"}"#, "600 x"),
    (#""status": 100"#, "100 "),
    (
      #""status": 200, "headers": [null, 7, {}, {"name": 1, "value": "x"}, {"name": "A", "value": []}]"#,
      "200 "
    ),
  ])
  func `An entry is read as far as possible`(members: String, summary: String) throws {
    let har = try read(Self.response(members))
    #expect(har.skipped == [])
    let response = try #require(har.entries.dropFirst().first?.response)
    #expect("\(response.status.code) \(String(decoding: response.body, as: UTF8.self))" == summary)
  }

  @Test func `A header's number is its text`() throws {
    let har = try read(
      Self.response(
        #""status": 200, "headers": [{"name": "X-A", "value": 12.5}, {"name": "X-A", "value": null}]"#
      ))
    let name = try #require(HTTPField.Name("X-A"))
    #expect(har.entries[1].response.headerFields[values: name] == ["12.5", ""])
  }

  @Test func `A skipped entry shows its request and no secret`() throws {
    let har = try read(
      #"{"request": {"method": "PUT", "url": "https://a.b/x?api_key=hunter2"}, "response": {"status": 0}}"#
    )
    let entry = try #require(har.skipped.first)
    #expect(entry.request == "PUT https://a.b/x?api_key=***")
    #expect("\(entry)" == "entry 2 (PUT https://a.b/x?api_key=***): it has no response")
  }

  @Test func `An unrecorded request names skipped entries`() async throws {
    let har = try read(
      #"{"request": {"method": "GET", "url": "https://a.b/x?pin=1"}, "response": {"status": 99}}"#)
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(har) }
    let error = await client.result(of: Request<Int>.get("/x", query: ["pin": Sensitive("1")]))
      .failure
    #expect(
      error?.invalidRequest?.reason
        == "this request is not recorded; recorded requests: GET https://a.b; GET https://a.b/x?pin=*** is skipped: its response.status 99 is not an HTTP status"
    )
  }

  /// 600 to 999 are statuses that no client knows.
  @Test(arguments: [600, 777, 999])
  func `A status above 599 is replayed as a status`(code: Int) async throws {
    let har = try HAR(
      data: Data(#"{"log": {"entries": [\#(Self.response("\"status\": \(code)"))]}}"#.utf8))
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(har) }
    let error = await client.result(of: Request<Data>.get("/")).failure
    #expect(error?.status?.code == code)
  }
}
