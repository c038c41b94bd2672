import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct DecodingErrorTests {
  private var (stub, client) = stubAndClient()

  private func failure<Value: Decodable & Sendable>(
    _ json: String, as type: Value.Type
  ) async throws -> Client.DecodingFailure {
    stub.stub(.get, "/issues", with: .json(json))
    let request = Request<Value>.get("/issues", query: ["page": 1])
    let error = await stub.resultOfBothDecoders(of: request).failure
    return try #require(error?.decodingFailure)
  }

  @Test func `it names endpoint path types and shows the JSON`() async throws {
    let good = #"{"number": 1, "user": {"login": "a"}}"#
    let failure = try await failure(
      "[\(good), \(good), \(good), {\"number\": 4, \"user\": {\"login\": 7, \"id\": 1}}]",
      as: [Issue].self)
    #expect(failure.request == "GET https://api.example.com/issues?page=1")
    #expect(failure.type == "Array<Issue>")
    #expect(failure.codingPath == "[3].user.login")
    #expect(failure.reason.contains("Expected to decode String"))
    #expect(failure.excerpt == "7")
    let text = "\(Client.Error.decoding(failure))"
    #expect(text.contains("GET https://api.example.com/issues?page=1: expected Array<Issue>"))
    #expect(text.contains("[3].user.login"))
  }

  @Test(arguments: [
    (
      #"[{"number": 1, "user": {"name": "ü"}}]"#, "[0].user", #"the key "login" is missing."#,
      #"{"name":"ü"}"#
    ),
    (#"[{"number": 1, "user": null}]"#, "[0].user", "found null or no value", "null"),
    (
      #"{"message": "Moved"}"#, "", "Expected to decode Array<Any> but found ",
      #"{"message":"Moved"}"#
    ),
  ])
  func `what is there instead is named and shown`(
    json: String, path: String, reason: String, excerpt: String
  ) async throws {
    let failure = try await failure(json, as: [Issue].self)
    #expect(failure.codingPath == path)
    #expect(failure.reason.contains(reason))
    #expect(failure.excerpt.contains(excerpt))
  }

  @Test(arguments: ["1.5", "-1", "256", "2147483648000000000000", "1e400"])
  func `a number that does not fit is found`(number: String) async throws {
    let json =
      #"{"a\"\u00fc": [{"b": 1, "c": "9.5, \\"}, {"c": "{1.5", "b": \#(number)}], "d": [1.5, -7]}"#
    struct Part: Decodable { let b: UInt8 }
    struct Whole: Decodable, Sendable {
      enum CodingKeys: String, CodingKey { case a = "a\"ü", d }
      let d: [Double]
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        d = try values.decode([Double].self, forKey: .d)
        _ = try values.decode([Part].self, forKey: .a)
      }
    }
    let failure = try await failure(json, as: Whole.self)
    #expect(failure.reason == "the number \(number) does not fit the expected type.")
    #expect(failure.codingPath == "a\"ü[1].b")
  }

  @Test func `a broken text is not taken for a number that does not fit`() async throws {
    for json in ["[1.5, 2", "1.5.2", "[1e, 2]", "-", "[01]"] {
      let failure = try await failure(json, as: [Int].self)
      #expect(failure.codingPath == "" && !failure.reason.contains("does not fit"), "\(json)")
    }
  }

  @Test(arguments: ["\"", "👩‍👩‍👧", "\\\\"])
  func `the excerpt has at most160 characters in one line`(unit: String) async throws {
    let long = String(repeating: unit == "\"" ? "\\\"" : unit, count: 5_000)
    for json in ["{\"number\": \"\(long)\"}", long, "[1,\n\n2, \"\(long)"] {
      let failure = try await failure(json, as: Issue.self)
      #expect(failure.excerpt.count <= 160)
      #expect(failure.excerpt.split(whereSeparator: \.isNewline).count == 1)
      #expect(failure.excerpt.hasSuffix("…") || failure.excerpt.hasPrefix("…"))
    }
  }

  @Test func `control characters of a server reach no terminal`() async throws {
    let failure = try await failure("\u{1B}[31mno JSON\u{7}\u{9B}", as: Issue.self)
    #expect(failure.excerpt.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(failure.excerpt.contains("no JSON"))
  }

  @Test func `deep and strange paths are written`() async throws {
    let failure = try await failure(
      #"{"a.b": [[1], [2, "x"]]}"#, as: [String: [[Int]]].self)
    #expect(failure.codingPath == "a.b[1][1]")
    #expect(failure.excerpt == #""x""#)
  }

  @Test func `what a decoding of one's own throws is kept`() async {
    struct Odd: Error {}
    let odd = Request(.get, "/x", decoding: ResponseDecoding<Int> { _, _, _ in throw Odd() })
    stub.stub(odd, with: .json("1"))
    let error = await client.result(of: odd).failure
    #expect(error?.decodingFailure?.reason == "Odd()")
    #expect(error?.decodingFailure?.type == "Int")
  }

  /// Foundation reports invalid JSON for a number that is too large.
  ///
  /// To find the number, the body is decoded again, but not with a custom decoding.
  @Test func `a decoding of one's own runs once`() async {
    let calls = Mutex(0)
    stub.stub(.get, "/x", with: .json(#"{"a": 300, "b": [1, 2, 3, 4, 5, 6, 7, 8]}"#))
    let decoding = ResponseDecoding<Int8> { data, _, _ in
      calls.withLock { $0 += 1 }
      return try JSONDecoder().decode([String: Int8].self, from: data)["a"] ?? 0
    }
    let error = await client.result(of: Request(.get, "/x", decoding: decoding)).failure
    #expect(error?.decodingFailure != nil)
    #expect(calls.withLock { $0 } == 1)
  }
}
