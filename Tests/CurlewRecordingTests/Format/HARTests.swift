import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HARTests {
  private static func file(_ entries: String...) -> Data {
    Data("{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ","))]}}".utf8)
  }

  private func failure(_ data: Data) -> HAR.ParsingError? {
    #expect(throws: HAR.ParsingError.self) { try HAR(data: data, name: "test.har") }
  }

  @Test func `an entry is read`() throws {
    let har = try HAR(
      data: Self.file(
        #"""
        {"startedDateTime": "2017-01-01", "_custom": [1],
         "request": {"method": "POST", "url": "https://a.b/x?y=1", "cookies": [], "headersSize": -1,
           "headers": [{"name": "X-A", "value": "1"}, {"name": ":path", "value": "/x"}],
           "postData": {"mimeType": "application/json", "text": "{}"}},
         "response": {"status": 201, "statusText": "Created", "httpVersion": "h2",
           "headers": [{"name": "Set-Cookie", "value": "a=1\nb=2"}, {"name": "ETag", "value": "\"1\""}],
           "content": {"size": 4, "mimeType": "text/plain", "text": "grüße"}}}
        """#))
    let entry = try #require(har.entries.first)
    let name = try #require(HTTPField.Name("X-A"))
    #expect(har.entries.count == 1)
    #expect(entry.method == .post && entry.url == "https://a.b/x?y=1")
    #expect(entry.headerFields == [name: "1"])
    #expect(entry.body == Data("{}".utf8))
    #expect(entry.response.status == .created)
    #expect(entry.response.headerFields[values: .setCookie] == ["a=1", "b=2"])
    #expect(entry.response.headerFields[.eTag] == "\"1\"")
    #expect(entry.response.body == Data("grüße".utf8))
  }

  @Test func `base64 is decoded`() throws {
    let har = try HAR(
      data: Self.file(
        #"""
        {"request": {"method": "GET", "url": "https://a.b/"}, "response": {"status": 200,
          "content": {"encoding": "base64", "text": "AAH/\n/g=="}}}
        """#))
    #expect(har.entries.first?.response.body == Data([0, 1, 0xFF, 0xFE]))
  }

  @Test func `what does no harm is overlooked`() throws {
    let har = try HAR(
      data: Data([0xEF, 0xBB, 0xBF])
        + Data(
          #"""
          {"log": {"version": 1.1, "creator": null, "pages": 7, "entries": [
            {"request": {"method": "GET", "url": "data:text/plain,x"}, "response": {"status": 200}},
            {"request": {"method": "GET", "url": "https://a.b/lost"}, "response": {"status": 0}},
            {"request": {"method": "GET", "url": "https://a.b/x", "headers": null, "postData": null},
             "response": {"status": 302, "redirectURL": "/y", "content": {"text": null}}}
          ]}}
          """#.utf8))
    #expect(har.entries.map(\.url) == ["https://a.b/x"])
    #expect(har.entries.first?.response.headerFields[.location] == "/y")
    #expect(try HAR(data: Data(#"{"log": {"entries": []}}"#.utf8)).entries.isEmpty)
  }

  @Test(arguments: [
    ("/no such folder/a.har", "No such file or directory"),
    (NSTemporaryDirectory(), "Is a directory"),
  ])
  func `a file that cannot be read is named`(path: String, reason: String) {
    let error = #expect(throws: HAR.ParsingError.self) {
      try HAR(contentsOf: URL(filePath: path))
    }
    #expect(error?.reason == reason)
    #expect(error?.localizedDescription == "\(error?.source ?? "") can't be read: \(reason).")
    #expect(error?.source.hasPrefix(path.dropLast()) == true)
  }

  @Test(arguments: [
    ("", "it is empty"), ("[]", "it has the wrong type"), ("{}", "its log is missing"),
    ("7", "it has the wrong type"),
    (#"{"log": 7}"#, "its log has the wrong type"), (#"{"log": null}"#, "its log is null"),
    (#"{"log": {}}"#, "its log.entries is missing"),
    (#"{"log": {"entries": {}}}"#, "its log.entries has the wrong type"),
    (#"{"log": {"version": "2.0", "entries": []}}"#, "its version is 2.0, not 1.x"),
  ])
  func `a file that is no recording is refused`(json: String, reason: String) {
    let error = failure(Data(json.utf8))
    #expect(error?.reason == reason)
    #expect(error?.source == "test.har")
  }

  @Test(arguments: ["{\"log\": ", "<html>", "{\"log\": {\"entries\": [}}", "nope"])
  func `what is not JSON is refused`(text: String) {
    let reason = failure(Data(text.utf8))?.reason
    #expect(reason?.hasPrefix("it is not JSON at line ") == true)
  }

  /// `CURLEW_FUZZ=100000` sets the number of random files.
  @Test func `hostile files never end the process`() async {
    await #expect(processExitsWith: .success) {
      let entries = HostileJSON.nested.map { Data("{\"log\":{\"entries\":".utf8) + $0 }
      for data in HostileJSON.nested + HostileJSON.json5 + HostileJSON.deepest + entries {
        #expect(throws: HAR.ParsingError.self) { try HAR(data: data) }
      }
      var random = SeededGenerator(seed: Fuzz.seed())
      for _ in 0..<Fuzz.runs(2_000) {
        _ = try? HAR(data: HostileJSON.noise(&random))
      }
    }
  }

  @Test func `errors can be compared`() {
    let empty = failure(Data())
    #expect(empty == failure(Data()) && empty != failure(Data("[]".utf8)))
  }

  @Test func `an entry shows no secret`() throws {
    let entry = HAR.Entry(
      .get, "https://a.b/?api_key=hunter2", headerFields: [.authorization: "Bearer hunter2"],
      response: .json("{}"))
    var text = "\(entry) \(HAR(entries: [entry])) \(String(reflecting: entry))"
    dump(HAR(entries: [entry]), to: &text)
    #expect(!text.contains("hunter2"))
    #expect(text.contains("GET https://a.b/?api_key=*** -> 200"))
  }
}
