import CurlewJSON
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The log's text for a response that is not JSON: the position, and the text there.
@Suite(.timeLimit(.minutes(10)))
struct MalformedJSONTests {
  /// A value that decodes from any JSON.
  private struct Anything: Decodable, Sendable {
    init(from decoder: any Decoder) throws {}
  }

  private var (stub, client) = stubAndClient()

  private func error(
    of body: Data, _ headerFields: HTTPFields = [.contentType: "application/json"]
  ) async -> Client.Error? {
    stub.stub(.get, "/x", with: .sample(Sample(headerFields: headerFields, body: body)))
    // Foundation parses strings and numbers only when they are decoded.
    if body.starts(with: Data("[\"".utf8)) { return await error(as: [String].self) }
    if body.starts(with: Data("[0".utf8)) { return await error(as: [Int].self) }
    return await error(as: Anything.self)
  }

  private func error<Value: Decodable & Sendable>(as type: Value.Type) async -> Client.Error? {
    let endpoint = Request<Value>.get("/x", query: ["token": Sensitive("hunter2")])
    return await stub.resultOfBothDecoders(of: endpoint).failure
  }

  private func failure(of body: String) async throws -> Client.DecodingFailure {
    try #require(await error(of: Data(body.utf8))?.decodingFailure)
  }

  @Test(arguments: [
    (" \r\n ", 2, 2, "the text ends too early."),
    ("{\"a\": 1,\n \"b\": \"xyz", 2, 11, "the text ends too early."),
    ("[\"a\\", 1, 4, "the escape sequence is invalid."),
    ("[\"\\ud83d\\u0041", 1, 3, "the escape sequence is invalid."),
    ("[1, 2, \u{0}]", 1, 8, "expected a value, found '\\0'."),
    ("[1]\u{FEFF}", 1, 4, "expected nothing more, found '\\u{FEFF}'."),
    ("[\u{FFFD}]", 1, 2, "expected a value, found '\\u{FFFD}'."),
    ("[1, -", 1, 6, "the text ends too early."),
    ("[1.", 1, 4, "the text ends too early."),
    ("[tru", 1, 2, "expected a value, found 't'."),
    ("[{\"a\": 1}", 1, 10, "the text ends too early."),
    ("{\"a\": [1]", 1, 10, "the text ends too early."),
    ("{\"a\": [1", 1, 9, "the text ends too early."),
    ("{\"a\"", 1, 5, "the text ends too early."),
    ("[1,\r\n2 3]", 2, 3, "expected a comma or ], found '3'."),
    ("[1,\r2,\n,3]", 3, 1, "expected a value, found ','."),
    ("{\"ü👩‍👩‍👧\": 1 2}", 1, 10, "expected a comma or }, found '2'."),
    ("\u{FEFF}[1 2]", 1, 4, "expected a comma or ], found '2'."),
    ("{} {}", 1, 4, "expected nothing more, found '{'."),
    ("{a: 1}", 1, 2, "expected a key in quotation marks, found 'a'."),
    ("{\"a\" 1}", 1, 6, "expected a colon after the key, found '1'."),
    ("[01]", 1, 2, "the number is malformed."),
    ("[1.x]", 1, 4, "expected a comma or ], found 'x'."),
    ("[\"\\q\"]", 1, 3, "the escape sequence is invalid."),
    ("[\"\\u12x4\"]", 1, 3, "the escape sequence is invalid."),
    ("[\"a\tb\"]", 1, 4, "a control character in a string is not escaped."),
    ("[1, } , 2]", 1, 5, "expected a value, found '}'."),
    ("[1, 2,], 3", 1, 7, "expected a value, found ']'."),
    ("not found", 1, 1, "expected a value, found 'n'."),
    ("<?xml version='1.0'?>", 1, 1, "expected a value, found '<'."),
  ])
  func `it says line column and reason`(
    body: String, line: Int, column: Int, reason: String
  ) async throws {
    let failure = try await failure(of: body)
    #expect(failure.reason == "not JSON at line \(line), column \(column): \(reason)")
    #expect(failure.codingPath == "" && !failure.isWebPage)
    let text = "\(Client.Error.decoding(failure))"
    #expect(text.hasPrefix("GET https://api.example.com/x?token=***: not JSON at line "))
  }

  @Test func `an empty body is called empty`() async throws {
    #expect(try await failure(of: "").reason == "the body is empty.")
  }

  @Test func `bytes that are not UTF8 are found`() async throws {
    let body = Data("[\"ü".utf8) + [0xFF] + Data("\"]".utf8)
    let broken = await error(of: body)?.decodingFailure
    #expect(broken?.reason == "not JSON at line 1, column 4: the bytes are not UTF-8.")
    let cut = await error(of: Data("[\"a\u{1F331}".utf8).dropLast())?.decodingFailure
    #expect(cut?.reason == "not JSON at line 1, column 4: the bytes are not UTF-8.")
  }

  @Test func `a text that is nested too deeply does not overflow the stack`() async throws {
    for deep in [
      String(repeating: "[", count: 200_000),
      String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
    ] {
      #expect(
        try await failure(of: deep).reason
          == "not JSON at line 1, column 513: there are more than 512 levels of nesting.")
    }
  }

  /// A value whose string is JSON, too.
  private struct Nested: Decodable, Sendable {
    init(from decoder: any Decoder) throws {
      let text = String(repeating: " ", count: 100) + (try [String](from: decoder)[0])
      _ = try FastJSONDecoder().decode([Int].self, from: Data(text.utf8))
    }
  }

  @Test func `the position is not of a text within the text`() async throws {
    stub.stub(.get, "/x", with: .json(#"["[1 2]"]"#))
    let failure = try #require(await error(as: Nested.self)?.decodingFailure)
    #expect(failure.reason == "it is not valid JSON.")
    #expect(failure.excerpt == #"["[1 2]"]"#)
  }

  @Test func `the excerpt is what stands around the fault`() async throws {
    let items = (1...500).map { "{\"number\": \($0)}" }.joined(separator: ",\n")
    let failure = try await failure(of: "[\(items), {\"number\": oops}, \(items)]")
    #expect(failure.reason.hasPrefix("not JSON at line 500, column 29: expected a value"))
    #expect(failure.excerpt.contains(#"{"number": 500}, {"number": oops}, {"number": 1}, {"#))
    #expect(failure.excerpt.hasPrefix("…") && failure.excerpt.hasSuffix("…"))
    #expect(failure.excerpt.count <= 160)
  }

  @Test(arguments: ["[\"hunter2\" hunter2", "hunter2", "[hunter2]", "[1, hunter2"])
  func `the excerpt holds no secret`(body: String) async throws {
    let error = try #require(await error(of: Data(body.utf8)))
    #expect(!"\(error)".contains("hunter2"))
    #expect("\(error)".contains("***"))
  }

  @Test func `a secret that JSON escapes is masked`() async throws {
    let endpoint = Request<Anything>.get("/x", query: ["token": Sensitive(#"ab"cd\/ef"#)])
    stub.stub(.get, "/x", with: .json(#"{"x": "ab\"cd\\/ef" oops"#))
    let error = try #require(await client.result(of: endpoint).failure)
    #expect("\(error)".contains("***") && !"\(error)".contains("cd"))
  }

  @Test func `a secret across the fault leaves no excerpt`() async throws {
    let endpoint = Request<Anything>.get("/x", query: ["token": Sensitive("[1 2]-secret")])
    stub.stub(.get, "/x", with: .json("[1 2]-secret"))
    let error = try #require(await client.result(of: endpoint).failure)
    #expect(error.decodingFailure?.excerpt == "")
  }

  @Test(arguments: [
    ("<!DOCTYPE html>\n<title>Sign in</title>", "text/plain"),
    ("\u{FEFF}\n <HTML lang=en>", "application/json"), ("<p>Please wait", "text/html; charset=x"),
    ("<?xml version='1.0'?><html/>", "application/xhtml+xml"),
    ("<!-- portal -->\n<html>", "application/json"), ("<script>go()</script>", "text/plain"),
    ("Please sign in", "text/html"),
  ])
  func `a web page is called one`(body: String, type: String) async throws {
    let error = try #require(await error(of: Data(body.utf8), [.contentType: type]))
    #expect(error.decodingFailure?.isWebPage == true)
    #expect("\(error)".contains("the response is a web page (HTML), not JSON"))
    #expect(
      error.localizedDescription
        == UserTexts.english.webPage)
  }

  @Test func `broken JSON that is sent as HTML is no web page`() async throws {
    let error = await error(of: Data("[1,".utf8), [.contentType: "text/html"])
    #expect(error?.decodingFailure?.isWebPage == false)
    #expect(error?.localizedDescription == UserTexts.english.unreadable)
  }

  /// Whenever Foundation rejects JSON, the reported position is within the text, and nothing crashes.
  ///
  /// `CURLEW_FUZZ=1000000` makes the run longer, `CURLEW_SEED` changes the seed.
  @Test func `whatever is rejected has a position in the text`() async throws {
    var generator = SeededGenerator(seed: Fuzz.seed())
    let samples = [
      "{\"a\": [1, -2.5e+3, true, null],\r\n \"ü\\u00fc\\ud83d\\ude00\": \"\u{1F331}\\n\"}",
      "[[], {}, [[\"x\"]], {\"a\": {\"b\": false}}]\n",
    ]
    let alphabet = "0123456789eE+-.,:[]{}\"\\/ubtrnfl \n\r\t\u{80}\u{C3}\u{A4}\u{FF}"
    var rejected = 0
    for _ in 0..<Fuzz.runs(2_000) {
      let bytes = generator.mutated(samples, with: alphabet, changes: 4, grows: false)
      guard !bytes.isEmpty, let failure = await error(of: Data(bytes))?.decodingFailure else {
        continue
      }
      rejected += 1
      let match = failure.reason.prefixMatch(of: #/not JSON at line (\d+), column (\d+): /#)
      let (_, line, column) = try #require(match, "\(failure.reason) \(bytes)").output
      let lines = String(decoding: bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
      let number = try #require(Int(line))
      try #require((1...lines.count).contains(number), "\(bytes)")
      #expect((1...lines[number - 1].count + 1).contains(Int(column) ?? 0), "\(bytes)")
      #expect(failure.excerpt.count <= 160)
    }
    #expect(rejected > 100)
  }
}
