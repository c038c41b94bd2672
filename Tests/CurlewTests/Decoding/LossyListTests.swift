import CurlewJSON
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// A damaged entry neither loses the other entries nor disappears unnoticed.
@Suite(.timeLimit(.minutes(1)))
struct LossyListTests {
  struct Feed: Decodable, Sendable {
    let entry: LossyList<Issue>
  }

  private static let unfit = "does not fit the expected type."
  private static let unreadable = "it is not JSON in UTF-8, or a number \(unfit)"

  private let stub = StubTransport()

  private func result<Value: Decodable & Sendable>(
    _ json: String, as type: Value.Type
  ) async -> Result<Value, Client.Error> {
    stub.stub(.get, "/x", with: .json(json))
    let request = Request<Value>.get("/x", query: ["api_key": "hunter2"])
    return await stub.resultOfBothDecoders(of: request)
  }

  static func good(_ number: Int) -> String {
    #"{"number": \#(number), "user": {"login": "u\#(number)"}}"#
  }

  @Test func `damaged entry is set aside with its index and place`() async throws {
    let json = """
      {"entry": [\(Self.good(0)), {"number": 1, "user": {"login": 7}}, \(Self.good(2)),
        {"number": 3}, \(Self.good(4))]}
      """
    let list = try await result(json, as: Feed.self).get().entry
    #expect(list.elements.map(\.number) == [0, 2, 4])
    try #require(list.failures.map(\.index) == [1, 3])
    #expect(list.failures.map(\.codingPath) == ["entry[1].user.login", "entry[3]"])
    #expect(list.failures[0].reason == "Expected to decode String but found number instead.")
    #expect(list.failures[1].reason == "the key \"user\" is missing.")
    #expect("\(list.failures[1])" == "entry[3]: the key \"user\" is missing.")
  }

  @Test func `number that does not fit is named`() async throws {
    stub.stub(.get, "/x", with: .json("[1, 1.5, 300, 2]"))
    // Foundation does not report the number.
    for (decoder, problems) in [
      (JSONDecoder(), [Self.unreadable, Self.unreadable]),
      (FastJSONDecoder(), ["the number 1.5 \(Self.unfit)", "the number 300 \(Self.unfit)"]),
    ] {
      let client = Client.stubbed(by: stub) { $0.jsonDecoder = decoder }
      let list = try await client.send(Request<LossyList<UInt8>>.get("/x"))
      #expect(list.elements == [1, 2])
      #expect(
        list.failures.map(\.description) == ["[1]: \(problems[0])", "[2]: \(problems[1])"])
    }
  }

  @Test func `malformed entry is named without internal types`() async throws {
    stub.stub(
      .get, "/x",
      with: .json(
        #"{"entry": [{"number": 1, "user": {"login": "\ud800"}}, \#(Self.good(1))]}"#))
    // Foundation does not report the path within the entry.
    for (decoder, problem) in [
      (JSONDecoder(), "entry[0]: \(Self.unreadable)"),
      (FastJSONDecoder(), "entry[0].user.login: it is not valid JSON."),
    ] {
      let client = Client.stubbed(by: stub) { $0.jsonDecoder = decoder }
      let feed = try await client.send(Request<Feed>.get("/x"))
      #expect(feed.entry.failures.map(\.description) == [problem])
    }
    let only = await result(#"{"entry": [{"number": 01}]}"#, as: Feed.self).failure
    #expect("\(only.map { "\($0)" } ?? "")".contains("not JSON at line 1, column 23"))
  }

  @Test func `whole and empty lists have no failures`() async throws {
    #expect(try await result("[1, 2]", as: LossyList<Int>.self).get() == LossyList([1, 2]))
    #expect(try await result("[]", as: LossyList<Int>.self).get() == LossyList())
    #expect(try await result(#"{"entry": []}"#, as: Feed.self).get().entry.elements.isEmpty)
  }

  @Test(arguments: [(#"["a"]"#, "the only entry"), (#"["a", null, {}]"#, "none of the 3")])
  func `nothing but damaged entries is a decoding error`(json: String, what: String) async throws {
    let error = try #require(await result(json, as: LossyList<Int>.self).failure)
    let failure = try #require(error.decodingFailure)
    #expect(failure.codingPath == "[0]")
    #expect(failure.reason.contains(what))
    #expect(failure.reason.contains("Expected to decode Int"))
    #expect(failure.excerpt == #""a""#)
  }

  @Test(arguments: ["{}", "7", "null", #"{"entry": {}}"#, #"{"entry": null}"#, #"{"other": []}"#])
  func `what is no list is a decoding error`(json: String) async {
    #expect(await result(json, as: Feed.self).failure?.decodingFailure != nil)
  }

  @Test func `null is a damaged entry unless entries are optional`() async throws {
    let list = try await result("[1, null, 3, null]", as: LossyList<Int>.self).get()
    #expect(list.elements == [1, 3])
    #expect(list.failures.map(\.index) == [1, 3])
    #expect(list.failures.map(\.codingPath) == ["[1]", "[3]"])
    #expect(list.failures.first?.reason.contains("found null") == true)
    let optional = try await result("[1, null, \"a\"]", as: LossyList<Int?>.self).get()
    #expect(optional.elements == [1, nil])
    #expect(optional.failures.map(\.index) == [2])
  }

  @Test func `lists of lists keep what is good in each`() async throws {
    let list = try await result(
      #"[[1, "a", 2], "no list", [], ["b", {}], [[3], 4]]"#,
      as: LossyList<LossyList<Int>>.self
    ).get()
    #expect(list.elements.map(\.elements) == [[1, 2], [], [4]])
    #expect(list.elements.map { $0.failures.map(\.codingPath) } == [["[0][1]"], [], ["[4][0]"]])
    #expect(list.failures.map(\.index) == [1, 3])
    #expect(list.failures.map(\.codingPath) == ["[1]", "[3][0]"])
  }

  @Test func `what an entry throws of its own is reported at its place`() async throws {
    struct Even: Decodable, Sendable {
      struct Odd: Error {}

      init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decode(Int.self) % 2 == 1 { throw Odd() }
      }
    }
    let list = try await result("[0, 1, 2]", as: LossyList<Even>.self).get()
    #expect(list.elements.count == 2)
    #expect(list.failures == [.init(index: 1, codingPath: "[1]", reason: "Odd()")])
  }

  @Test func `reason is short in one line and without the request's secrets`() async throws {
    enum Kind: String, Decodable, Sendable { case good }
    for quoted in ["hunter2", "a\\n\\u001b[31m hunter2", String(repeating: "long ", count: 900)] {
      let list = try await result(
        "[\"good\", \"\(quoted)\"]", as: LossyList<Kind>.self
      ).get()
      let failure = try #require(list.failures.first)
      #expect(!failure.description.contains("hunter2"))
      #expect(failure.reason.contains("Kind"), "\(failure)")
      #expect(failure.reason.count <= 160)
      #expect(
        failure.reason.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }

  @Test func `other decoders read lossy lists too`() throws {
    let plist: [Any] = [["a": 1], "x", ["a": "y"], ["a": 4]]
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["list": plist], format: .xml, options: 0)
    let read = try PropertyListDecoder().decode([String: LossyList<[String: Int]>].self, from: data)
    #expect(read["list"]?.elements == [["a": 1], ["a": 4]])
    #expect(read["list"]?.failures.map(\.codingPath) == ["list[1]", "list[2].a"])
  }

  @Test func `time grows with the length of the list only`() async throws {
    // With quadratic time, this would take minutes.
    let json = "[" + (0..<50_000).map { $0 % 2 == 0 ? "{}" : "\($0)" }.joined(separator: ",") + "]"
    let list = try JSONDecoder().decode(LossyList<Int>.self, from: Data(json.utf8))
    #expect(list.elements.count == 25_000)
    #expect(list.failures.count == 25_000)
    #expect(list.failures.last?.codingPath == "[49998]")
  }

  @Test(arguments: 0..<40)
  func `good entries are kept whatever stands between them`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      var (entries, good, bad): ([String], [Int], [Int]) = ([], [], [])
      for index in 0..<Int.random(in: 1...12, using: &random) {
        if Bool.random(using: &random) {
          entries.append(Self.good(index))
          good.append(index)
        } else {
          entries.append(Self.damaged(index, using: &random))
          bad.append(index)
        }
      }
      let json = "{\"entry\": [\(entries.joined(separator: ","))]}"
      let result = await result(json, as: Feed.self)
      if good.isEmpty {
        #expect(result.failure?.decodingFailure != nil, "\(json)")
      } else {
        let list = try result.get().entry
        #expect(list.elements.map(\.number) == good, "\(json)")
        #expect(list.failures.map(\.index) == bad, "\(json)")
        #expect(
          list.failures.allSatisfy { $0.codingPath.hasPrefix("entry[\($0.index)]") }, "\(json)")
      }
    }
  }

  /// Returns a JSON value that is not an issue.
  private static func damaged(_ number: Int, using random: inout SeededGenerator) -> String {
    let deep = (0..<Int.random(in: 1...40, using: &random)).reduce("0") { text, _ in "[\(text)]" }
    let wrong = ["null", "7.5", "\"\"", "[]", "{}", "true", "[[1], {\"a\": [null]}]", deep]
      .randomElement(using: &random)
    return [
      wrong, "{\"number\": \(number)}", "{\"number\": \(number), \"user\": \(wrong ?? "1")}",
      "{\"number\": \(number), \"user\": {\"login\": \(deep)}}",
      "{\"number\": \"\(number)\", \"user\": {\"login\": \"a\"}}",
    ].compactMap { $0 }.randomElement(using: &random) ?? "null"
  }
}
