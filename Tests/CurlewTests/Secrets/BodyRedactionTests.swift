import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("Secrets in bodies are masked, and nothing else", .timeLimit(.minutes(10)))
struct BodyRedactionTests {
  private static let request = HTTPRequest(
    method: .post, scheme: "https", authority: "a.b", path: "/x?api_key=hunter2%2F4711",
    headerFields: [.authorization: "Bearer tok/en-4711"])

  private func masked(_ body: Data, _ type: String?, _ redaction: Redaction = Redaction()) -> Data {
    redaction.redacting(body: body, contentType: type, secretsOf: Self.request)
  }

  private func masked(_ text: String, _ type: String? = "application/json") -> String {
    String(decoding: masked(Data(text.utf8), type), as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"token": "abc", "page": 1}"#, #"{"token": "***", "page": 1}"#),
    (#"{"TOKEN":"a\"b\\","b":"token"}"#, #"{"TOKEN":"***","b":"token"}"#),
    (#"{"pwd" : -1.5e3 ,"n":2}"#, #"{"pwd" : "***" ,"n":2}"#),
    (#"{"key": null, "sig": true, "jwt": false}"#, #"{"key": null, "sig": true, "jwt": false}"#),
    (#"[{"a":{"secret":"x"}},["y"]]"#, #"[{"a":{"secret":"***"}},["y"]]"#),
    (
      #"{"secret":{"a":["x",{"b":1},null]},"c":"d"}"#,
      #"{"secret":{"a":["***",{"b":"***"},null]},"c":"d"}"#
    ),
    (#"{"\u0074oke\u004E":"x"}"#, #"{"\u0074oke\u004E":"***"}"#),
    (#"{"a":"b\\","token":"x"}"#, #"{"a":"b\\","token":"***"}"#),
    (#"{"tokens":"x","accessToken":"y"}"#, #"{"tokens":"x","accessToken":"y"}"#),
    (#"{"token":""}"#, #"{"token":"***"}"#),
    // Damaged JSON.
    (#"{"token":"abc"#, #"{"token":"***"#), (#"{"token":"abc\"#, #"{"token":"***"#),
    (#"{"token":abc}]]{"sig":1"#, #"{"token":"***"}]]{"sig":"***""#),
    (#"{"token""#, #"{"token""#), (#"{"token":"#, #"{"token":"#),
  ])
  func `values of secret names are masked`(json: String, expected: String) {
    #expect(masked(json) == expected)
    #expect(masked(json, "application/problem+json; charset=utf-8") == expected)
    #expect(masked(json, nil) == expected)
    #expect(masked(json, "image/png") == json)
  }

  @Test func `a damaged line of JSON lines hides no other`() {
    let lines =
      "{\"a\":\"b\n{\"token\":\"x\"}\n{\"secret\":[1\n{\"a\":\"b\\\n{\"pwd\":\"2\"}\r\n{\"n\":3}"
    #expect(
      masked(lines, "application/x-ndjson")
        == "{\"a\":\"b\n{\"token\":\"***\"}\n{\"secret\":[\"***\"\n{\"a\":\"b\\\n{\"pwd\":\"***\"}\r\n"
        + "{\"n\":3}")
  }

  @Test(arguments: [
    ("user=ann&password=a+b%26c&page=1", "user=ann&password=***&page=1"),
    ("PassWord=x&p%61ssword=y&password", "PassWord=***&p%61ssword=***&password"),
    ("&&token=&=x&token=a=b", "&&token=***&=x&token=***"), ("", ""), ("%&%=%", "%&%=%"),
  ])
  func `fields of a form are masked`(form: String, expected: String) {
    #expect(masked(form, "application/x-www-form-urlencoded; charset=UTF-8") == expected)
    #expect(masked(form, nil) == form)
  }

  @Test func `secrets of the request are masked in any body`() {
    let text = "tok/en-4711 hunter2/4711 hunter2%2F4711 tok\\/en-4711 other"
    #expect(masked(text, "text/html") == "*** *** *** *** other")
    #expect(masked(#"{"a":"tok\/en-4711"}"#) == #"{"a":"***"}"#)
  }

  @Test func `parts of a multipart form are masked`() async throws {
    let form: MultipartForm = [
      "title": "token", "Password": "a\r\nb", "meta": .json(["secret": "x", "a": "b"]),
      "file": .data(Data("token=x".utf8), contentType: "text/plain", fileName: "token"),
      "token": .data(Data([0, 255, 13, 10]), fileName: "x"), "last": "z",
    ]
    let stub = StubTransport()
    stub.stub(.post, "/x", with: .status(.ok))
    let body = RequestBody.multipart(form, using: SeededGenerator(seed: 1))
    try await Client.stubbed(by: stub).send(Request<Void>.post("/x", body: body))
    let sent = try #require(stub.requests.first)
    let type = try #require(sent.head.headerFields[.contentType])
    let data = try #require(sent.body?.data)
    let result = masked(data, type)
    let text = String(decoding: data, as: UTF8.self)
    let expected = text.replacing("a\r\nb", with: "***").replacing("\"x\",", with: "\"***\",")
      .replacing("\"secret\":\"x\"", with: "\"secret\":\"***\"")
      .replacing("\0\u{FFFD}\r\n", with: "***")
    #expect(String(decoding: result, as: UTF8.self) == expected)
    #expect(masked(result, type) == result)
  }

  // MARK: - Random bodies

  private static let types = [
    "application/json", nil, "application/jsonl", "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b", "text/plain", "text/event-stream",
  ]
  private static let pieces = [
    "{", "}", "[", "]", ":", ",", "\"", "\\", "\n", " ", "token", "\"token\":", "\"a\":", "\"x\"",
    "1", "true", "\\u0074", "key=", "&", "--b\r\n", "\r\n\r\n", "name=\"key\"", "ü", "\0", "***",
    "tok/en-4711", "=",
  ]

  /// Expects that everything outside of masks is unchanged and in order.
  private func expectOnlyMasks(in result: Data, of body: Data, _ note: String) {
    // A masked number becomes a string, and an asterisk before a mask looks like the mask's own.
    func core(_ data: Data) -> Data {
      data.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "*") }
    }
    var rest = core(body)[...]
    var unread = result[...]
    while !unread.isEmpty {
      let mask = unread.range(of: Data("***".utf8))
      let kept = core(unread[..<(mask?.lowerBound ?? unread.endIndex)])
      unread = unread[(mask?.upperBound ?? unread.endIndex)...]
      guard !kept.isEmpty else { continue }
      guard let range = rest.range(of: kept) else {
        Testing.Issue.record("\(note)")
        return
      }
      rest = rest[range.upperBound...]
    }
  }

  @Test func `random bytes are never damaged`() {
    var random = SeededGenerator(seed: Fuzz.seed())
    var nothing = Redaction()
    nothing.queryItems = []
    nothing.headerFields = []
    for _ in 0..<Fuzz.runs(2_000, of: 20) {
      var body = Data()
      for _ in 0..<random.pick(0...40) {
        body +=
          random.chance(oneIn: 8)
          ? Data([UInt8(random.pick(0...255))]) : Data(random.pick(Self.pieces).utf8)
      }
      let type = random.pick(Self.types)
      let result = masked(body, type)
      let note = "\(type ?? "-") \(String(decoding: body, as: UTF8.self).debugDescription)"
      #expect(masked(result, type) == result, "\(note)")
      #expect(masked(body, type, nothing) == body, "\(note)")
      expectOnlyMasks(in: result, of: body, note)
    }
  }

  private indirect enum JSON: Equatable {
    case text(String), number(Int), constant(String), list([JSON]), object([(String, JSON)])

    static func == (a: JSON, b: JSON) -> Bool { a.text == b.text }

    static func random(_ random: inout SeededGenerator, depth: Int = 0) -> JSON {
      switch random.pick(depth > 4 ? 2...4 : 0...4) {
      case 0: .list((0..<random.pick(0...4)).map { _ in .random(&random, depth: depth + 1) })
      case 1:
        .object(
          (0..<random.pick(0...4)).map { _ in
            (
              random.pick(["a", "token", "Api_Key", "b\"", "\\", "ключ", "tokens", ""]),
              .random(&random, depth: depth + 1)
            )
          })
      case 2: .text(random.pick(["", "x", "token", "\"", "\\", "{\"token\":\"x\"}", "a\nb", "ü"]))
      case 3: .number(random.pick(-99...99))
      default: .constant(random.pick(["true", "false", "null"]))
      }
    }

    private static func quoted(_ text: String) -> String {
      var result = "\""
      for unit in text.utf16 {
        switch unit {
        case 0x22: result += "\\\""
        case 0x5C: result += "\\\\"
        case 0x61, 0x6F, ..<0x20:
          result += "\\u00" + (unit < 16 ? "0" : "") + String(unit, radix: 16)
        default: result += String(decoding: [unit], as: UTF16.self)
        }
      }
      return result + "\""
    }

    var text: String {
      switch self {
      case .text(let text): Self.quoted(text)
      case .number(let number): "\(number)"
      case .constant(let word): word
      case .list(let list): "[\(list.map(\.text).joined(separator: ",\n "))]"
      case .object(let members):
        "{\(members.map { "\(Self.quoted($0.0))\t: \($0.1.text)" }.joined(separator: " , "))}"
      }
    }

    /// Returns the JSON as it must be shown, computed from values instead of bytes.
    func masked(isSecret: Bool = false) -> JSON {
      switch self {
      case .text, .number: isSecret ? .text("***") : self
      case .constant: self
      case .list(let list): .list(list.map { $0.masked(isSecret: isSecret) })
      case .object(let members):
        .object(
          members.map { name, value in
            let names = Redaction().queryItems
            return (name, value.masked(isSecret: isSecret || names.contains(name.lowercased())))
          })
      }
    }
  }

  @Test func `random JSON is masked as its values are`() {
    var random = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.runs(1_000, of: 20) {
      let json = JSON.random(&random)
      #expect(masked(json.text) == json.masked().text)
    }
  }

  @Test func `large bodies take time in proportion`() {
    let unit = #"{"token":"abc","a":[1,2,{"b":"\"\\ü"}],"secret":{"x":[1,"y"]}}, "#
    let texts = [
      ("application/json", "[" + String(repeating: unit, count: 1_000_000 / unit.utf8.count)),
      ("application/json", String(repeating: "\"", count: 500_000)),
      ("application/json", String(repeating: "[", count: 500_000)),
      ("application/json", "\"a\"" + String(repeating: " ", count: 500_000)),
      ("application/x-www-form-urlencoded", String(repeating: "token=a&b=c&", count: 40_000)),
      ("multipart/form-data; boundary=b", String(repeating: "\r\n--b\r\nx", count: 50_000)),
    ]
    for (type, text) in texts {
      let body = Data(text.utf8)
      var sizes: [Duration] = []
      for share in [10, 1] {
        let part = body.prefix(body.count / share)
        sizes.append(processorTime { _ = masked(part, type) })
      }
      #expect(sizes[1] < sizes[0] * 40 + .milliseconds(50), "\(type) \(sizes)")
    }
  }
}
