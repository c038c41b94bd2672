import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Recordings contain exactly the sent and received data, for any content.
@Suite(.timeLimit(.minutes(10)))
struct HARRecorderFuzzTests {
  private static let pieces = [
    "a", " ", "\"", "\\", "/", "\\/", "\u{0}", "\r\n", "\t", "\u{1B}", "\u{7F}", "\u{85}",
    "\u{2028}", "\u{FEFF}",
    "ü", "e\u{301}", "日本", "👩‍👩‍👧", "\u{FFFF}", "%", "%2F", "%zz", "&", "=", "?", "#", "+", "***",
    "\\u0000", "{",
    "[", "null", "1e400",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<random.pick(0...8)).map { _ in random.pick(pieces) }.joined()
  }

  private static func data(_ random: inout SeededGenerator) -> Data {
    switch random.pick(0...3) {
    case 0: Data()
    case 1: Data((0..<random.pick(1...40)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    default: Data(text(&random).utf8)
    }
  }

  private static func fields(_ random: inout SeededGenerator) -> HTTPFields {
    var fields = HTTPFields()
    for _ in 0..<random.pick(0...4) {
      let name = random.pick(["X-A", "x-b", "Accept", "Vary", "Content-Language"])
      guard let name = HTTPField.Name(name) else { continue }
      // Values are compared without surrounding whitespace, which is insignificant.
      let value = HTTPField(name: name, value: text(&random)).value
      fields.append(HTTPField(name: name, value: value.trimmingCharacters(in: .whitespaces)))
    }
    return fields
  }

  @Test func `anything is read back as it was sent`() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    for round in 0..<Fuzz.runs(300, of: 200) {
      let recorder = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000.25) }
      let stub = StubTransport(clock: TestClock())
      let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.recording(recorder)] }
      var sent: [(fields: HTTPFields, body: Data, response: Sample)] = []
      for number in 0..<random.pick(1...3) {
        let response = Sample(
          status: HTTPResponse.Status(code: random.pick([200, 201, 299])),
          headerFields: Self.fields(&random), body: Self.data(&random))
        let (fields, body) = (Self.fields(&random), Self.data(&random))
        let endpoint = Request<Data>.post(
          "/\(Self.text(&random))\(number)", query: ["q": Self.text(&random)],
          headerFields: fields, body: .data(body))
        stub.stub(.post, "/**", with: .sample(response))
        #expect(try await client.send(endpoint) == response.body)
        sent.append((fields, body, response))
      }
      let data = recorder.har.data()
      let checker = HARChecker(data)
      #expect(checker.problems == [] && checker.contradictions == [], "round \(round)")
      let read = try HAR(data: data)
      #expect(read.entries.count == sent.count)
      for ((fields, body, response), entry) in zip(sent, read.entries) {
        #expect(entry.response == response && entry.body ?? Data() == body, "round \(round)")
        for name in Set(fields.map(\.name)) {
          #expect(entry.headerFields[values: name] == fields[values: name], "round \(round)")
        }
      }
      #expect(try HAR(data: read.data()) == read)
    }
  }

  /// A secret is found in any text, with any nested escapes, and nothing else changes.
  @Test func `a secret is masked whatever it is`() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    for round in 0..<Fuzz.runs(500, of: 100) {
      let characters = [
        "a", "Z", "7", "/", "+", "=", "-", "\"", "\\", "&", "ü", "日", "%", "<", ":",
      ]
      let secret = "s" + (0..<random.pick(8...20)).map { _ in random.pick(characters) }.joined()
      var quoted = secret
      // As in Basic credentials; inside base64, only unescaped secrets are found.
      if random.chance(oneIn: 4) {
        quoted = Data("\(Self.letters(&random)):\(secret)".utf8).base64EncodedString()
      }
      for _ in 0..<random.pick(0...2) { quoted = Self.escaped(quoted, &random) }
      let (before, after) = (Self.letters(&random), Self.letters(&random))
      let recorder = HARRecorder()
      let stub = StubTransport()
      let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.recording(recorder)] }
      stub.stub(.post, "/x", with: .data(Data("\(before) \(quoted) \(after)".utf8)))
      let endpoint = Request<Data>.post("/x", body: .form(["password": secret, "user": "ann"]))
      _ = try await client.send(endpoint)
      let entry = try #require(recorder.har.entries.first)
      #expect(entry.body == Data("password=***&user=ann".utf8))
      let text = String(decoding: entry.response.body, as: UTF8.self)
      #expect(text.contains("***"), "round \(round): \(secret) is in \(text)")
      #expect(text.hasPrefix("\(before) ") && text.hasSuffix(" \(after)"), "round \(round)")
    }
  }

  private static func escaped(_ text: String, _ random: inout SeededGenerator) -> String {
    switch random.pick(0...3) {
    case 0:
      let kept = random.pick([CharacterSet.alphanumerics, .urlPathAllowed])
        .intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
      return text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
    case 1:
      return text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("/", with: random.pick(["/", "\\/"]))
    case 2:
      let isUppercase = random.chance(oneIn: 2)
      return text.utf16.map { unit in
        let isPlain = unit < 128 && ![0x22, 0x5C, 0x26].contains(unit)
        let digits = String(unit, radix: 16, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        return isPlain ? String(decoding: [unit], as: UTF16.self) : "\\u" + zeros + digits
      }.joined()
    default:
      return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing("\"", with: "&quot;")
    }
  }

  private static func letters(_ random: inout SeededGenerator) -> String {
    (0..<random.pick(0...7)).map { _ in random.pick(["x", "y", "z"]) }.joined()
  }
}
