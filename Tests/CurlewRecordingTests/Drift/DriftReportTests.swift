import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import Testing

/// Tests which differences count as changes.
@Suite(.timeLimit(.minutes(1)))
struct DriftReportTests {
  private func recording(_ texts: [String], status: HTTPResponse.Status = .ok) -> HAR {
    HAR(entries: texts.map { .init(.get, "https://a.b/x", response: .json($0, status: status)) })
  }

  /// Returns the report's lines about the endpoint.
  private func changes(
    _ old: String..., to new: [String], status: HTTPResponse.Status = .ok
  ) -> [String] {
    let report = DriftReport(
      from: recording(old, status: status), to: recording(new, status: status))
    return report.changes.map { "\($0)".replacing("GET a.b/x ", with: "") }
  }

  @Test func `report is grouped by endpoint`() {
    let old = HAR(entries: [
      .init(.get, "https://a.b/y", response: .json(#"{"a": 1, "b": "x"}"#)),
      .init(.get, "https://a.b/x?q=1", response: .json(#"{"list": [{"login": "a", "plan": 1}]}"#)),
      .init(.post, "https://a.b/x", response: .json("{}")),
    ])
    let new = HAR(entries: [
      .init(
        .get, "https://a.b/x/?q=2", response: .json(#"{"list": [{"login": null}, {"new": []}]}"#)),
      .init(.get, "http://A.B:80/y#z", response: .json(#"{"a": 1.5}"#)),
      .init(.get, "https://c.d", response: .json("{}")),
    ])
    let report = DriftReport(from: old, to: new)
    #expect(
      report.description == """
        GET a.b/x
          list[].login: always null, was never null
          list[].login: sometimes missing, was always present
          list[].new: new (array)
          list[].plan: gone (integer)
        GET a.b/y
          a: number, was integer
          b: gone (string)
        Only in the old recording: POST a.b/x
        Only in the new recording: GET c.d/
        """)
    #expect(report.endpoints.map(\.path) == ["/x", "/y"])
    #expect(report.changes.map(\.codingPath).last == "b")
  }

  @Test func `report is saved and read again`() throws {
    let report = DriftReport(
      from: recording([#"{"a": 1, "b": null, "c": [1]}"#]), to: recording([#"{"a": {}, "b": 1}"#]))
    #expect(report.changes.count == 3)
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(DriftReport.self, from: data) == report)
  }

  @Test(arguments: [
    ("1", "1.0", "number, was integer"), ("1", "1e2", "number, was integer"),
    ("1.5", "1", nil), ("1", "-0", nil), ("1", "true", "boolean, was integer"),
    ("9223372036854775807", "-9223372036854775808", nil),
    ("1", "9223372036854775808", "number, was integer"),
    ("1", "123456789012345678901234567890", "number, was integer"),
    ("\"1\"", "1", "integer, was string"), ("{}", "[]", "array, was object"),
    ("null", "1", "never null, was always null"), ("1", "null", "always null, was never null"),
    ("\"\"", "\"a\\\"\\\\\"", nil), (" 1", "\u{FEFF}1\n", nil),
  ])
  func `type is that of the text`(old: String, new: String, change: String?) {
    #expect(changes(old, to: [new]) == (change.map { ["the body: \($0)"] } ?? []))
  }

  @Test func `several types are a set`() {
    #expect(changes("[1, 1.5, null]", to: ["[7]", "[0.5]", "[null]"]) == [])
    #expect(changes("[1, \"a\"]", to: ["[\"a\", 1]"]) == [])
    #expect(
      changes("[1, \"a\"]", to: ["[\"a\", true]"])
        == ["[]: string or boolean, was string or integer"])
    #expect(changes("[0.5, \"a\"]", to: ["[\"a\", 1]"]) == [])
    #expect(changes("[1]", to: ["[1, 1.5]"]) == ["[]: number, was integer"])
  }

  @Test func `only the topmost path is named`() {
    #expect(
      changes(#"{"a": {"b": {"c": [1]}}}"#, to: [#"{"d": [{"e": 1}]}"#])
        == ["a: gone (object)", "d: new (array)"])
    #expect(
      changes(#"{"a": {"b": {"c": 1}}}"#, to: [#"{"a": {"b": "c"}}"#])
        == ["a.b: string, was object"])
  }

  @Test func `nothing is claimed without evidence`() {
    for empty in ["[]", "[[]]", "null", "[null, [null]]"] {
      let full = #"[[{"a": 1}]]"#
      let kinds = changes(full, to: [empty]) + changes(empty, to: [full])
      #expect(kinds.allSatisfy { $0.contains("null") }, "\(kinds)")
    }
    #expect(changes(#"{"a": {"b": 1}}"#, to: [#"{}"#, #"{"a": null}"#]).count == 2)
    #expect(changes("{}", to: ["{}"]) == [])
    #expect(changes("{}", to: [#"{"a": null}"#]) == ["a: new (null)"])
  }

  @Test func `presence is counted by object`() {
    #expect(
      changes(#"[{"a": 1}, {"a": 2}]"#, to: [#"[{"a": 1}, {}, 7]"#]).sorted() == [
        "[].a: sometimes missing, was always present", "[]: object or integer, was object",
      ])
    // A repeated key does not make up for a missing key.
    #expect(
      changes(#"[{"a": 1}, {"a": 2}]"#, to: [#"[{"a": 1, "a": 2}, {}]"#])
        == ["[].a: sometimes missing, was always present"])
    #expect(
      changes(#"{"a": 1}"#, "{}", to: [#"{"\u0061": 1}"#])
        == ["a: always present, was sometimes missing"])
  }

  @Test func `keys that are identifiers are one member`() {
    let uuid = UUID().uuidString
    #expect(
      changes(#"{"prices": {"12": {"eur": 1}}}"#, to: [#"{"prices": {"\#(uuid)": {"eur": "1"}}}"#])
        == ["prices.{id}.eur: string, was integer"])
    #expect(changes(#"{"prices": {"12": 1}}"#, to: [#"{"prices": {}}"#]) == [])
  }

  @Test(arguments: [
    ("/movie/11", "/movie/{id}"), ("/3/movie/11/", "/3/movie/{id}"), ("", "/"), ("/", "/"),
    ("/movie/11?page=2#top", "/movie/{id}"), ("/a/../b/./c", "/b/c"), ("/%41/b%2Fc", "/A/b%2Fc"),
    ("/u/123e4567-e89b-12d3-a456-426614174000/x", "/u/{id}/x"), ("/u/deadbeef", "/u/deadbeef"),
    ("/u/a11", "/u/a11"), ("/u/{id}", "/u/%7Bid%7D"), ("/limit=25/json", "/limit=25/json"),
  ])
  func `endpoint is host and path without identifiers`(target: String, path: String) {
    for origin in ["https://me:secret@A.b", "http://a.b:80"] {
      let endpoint = DriftReport.Endpoint(.get, origin + target)
      #expect(endpoint.description == "GET a.b\(path)")
    }
    #expect(DriftReport.Endpoint(.post, "https://a.b:8443").description == "POST a.b:8443/")
  }

  @Test func `endpoint is one line`() {
    let har = HAR(entries: [HAR.Entry(.get, "https://a\nGET b/\u{1B}[31m", response: .json("1"))])
    let report = DriftReport(from: HAR(), to: har)
    #expect("\(report)" == "Only in the new recording: GET a get b/%1B%5B31m")
    let escape = DriftReport.Endpoint(.get, "https://a\u{1B}[0m/x")
    #expect("\(escape)" == "GET a [0m/x")
  }

  @Test func `errors are compared by status`() {
    let old = [
      Sample.json(#"{"a": 1}"#), .json(#"{"error": 1}"#, status: .notFound),
      .json(#"{"error": 1}"#, status: .badRequest),
    ]
    let new = [
      Sample.json(#"{"a": 1}"#, status: .created), .json(#"{"error": "x"}"#, status: .notFound),
      .json("[]", status: .conflict), .status(.notModified),
    ]
    let report = DriftReport(
      from: HAR(entries: old.map { .init(.get, "https://a.b/x", response: $0) }),
      to: HAR(entries: new.map { .init(.get, "https://a.b/x", response: $0) }))
    #expect(report.changes.map { "\($0)" } == ["GET a.b/x 404: error: string, was integer"])
    #expect(report.changes.first?.status == 404)
  }

  @Test func `other statuses are a change of their own`() {
    func changes(_ old: HTTPResponse.Status, _ new: HTTPResponse.Status) -> [String] {
      DriftReport(
        from: recording(["{}"], status: old), to: recording([#"{"a": 1}"#], status: new)
      ).changes.map { "\($0)" }
    }
    #expect(changes(.ok, .gone) == ["GET a.b/x status 410, was 200"])
    #expect(changes(.movedPermanently, .ok) == ["GET a.b/x status 200, was 301"])
    #expect(changes(.ok, .created) == ["GET a.b/x a: new (integer)"])
    #expect(changes(.notFound, .gone) == [])
    #expect(changes(.notModified, .ok) == [])
  }

  @Test func `body that is no longer JSON is a change of its own`() {
    #expect(changes("{}", to: [""]) == ["the body: empty, was JSON"])
    #expect(changes("{}", to: ["{"]) == ["the body: not JSON, was JSON"])
    #expect(changes("<p>", to: ["[]"]) == ["the body: JSON, was not JSON"])
    #expect(
      changes(#"{"a": 1}"#, to: [#"{"a": "1"}"#, "<p>"])
        == ["the body: JSON or not JSON, was JSON", "a: string, was integer"])
    #expect(changes("{}", to: ["<"], status: .notFound) == ["404: the body: not JSON, was JSON"])
  }
}
