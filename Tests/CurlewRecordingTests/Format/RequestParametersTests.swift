import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import Testing

/// `postData.params` in place of `text` (HAR 1.2, softwareishard.com/blog/har-12-spec/#params).
@Suite(.timeLimit(.minutes(1)))
struct RequestParametersTests {
  private func entry(_ postData: String) throws -> HAR.Entry {
    let text = #"""
      {"log": {"entries": [{"request": {"method": "POST", "url": "https://a.b/", "postData": \#(postData)},
        "response": {"status": 200, "content": {"text": "1"}}}]}}
      """#
    return try #require(try HAR(data: Data(text.utf8)).entries.first)
  }

  @Test(arguments: [
    (
      #"{"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "b"}]}"#,
      "a=b"
    ),
    (
      #"{"mimeType": "application/x-www-form-urlencoded; charset=UTF-8", "params": [{"name": "a b", "value": "c&d+ü"}, {"name": "a b"}]}"#,
      "a+b=c%26d%2B%C3%BC&a+b="
    ),
    (#"{"params": [{"name": "a", "value": 1}, {"name": "b", "value": null}]}"#, "a=1&b="),
    (#"{"mimeType": "x", "text": "", "params": [{"name": "a", "value": "1"}]}"#, "a=1"),
    (#"{"mimeType": "x", "text": "t", "params": [{"name": "a", "value": "1"}]}"#, "t"),
    (#"{"mimeType": "x", "text": "", "params": []}"#, nil), (#"{"mimeType": "x"}"#, nil),
    (
      #"{"mimeType": "multipart/form-data; boundary=X", "params": [{"name": "a\"", "value": "1"}, {"name": "b", "value": "2"}]}"#,
      "--X\r\nContent-Disposition: form-data; name=\"a%22\"\r\n\r\n1\r\n--X\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n2\r\n--X--\r\n"
    ),
  ])
  func `Parameters are the body of a form`(postData: String, body: String?) throws {
    #expect(try entry(postData).body.map { String(decoding: $0, as: UTF8.self) } == body)
  }

  @Test func `A form with files has a comment`() throws {
    let entry = try entry(
      #"{"mimeType": "multipart/form-data", "params": [{"name": "a", "fileName": "x.png", "contentType": "image/png"}]}"#
    )
    #expect(entry.body == nil)
    #expect(entry.comment == "The request's body is not recorded: it is a form with files.")
  }

  @Test func `A recorded form is found by its fields`() async throws {
    for type in ["application/x-www-form-urlencoded", "multipart/form-data"] {
      let entries = try ["1", "2"].map { value in
        var entry = try entry(
          #"{"mimeType": "\#(type)", "params": [{"name": "a", "value": "ü \#(value)"}]}"#)
        entry.response = .json(value)
        return entry
      }
      let client = Client(baseURL: "https://a.b") { $0.transport = .har(HAR(entries: entries)) }
      for value in [2, 1] {
        let body: RequestBody =
          type.hasPrefix("multipart")
          ? .multipart(["a": "ü \(value)"]) : .form(["a": "ü \(value)"])
        #expect(try await client.send(Request<Int>.post("/", body: body)) == value)
      }
    }
  }
}
