import CurlewJSON
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KeyStrategyTests {
  private static let keys = [
    "a", "one", "one_two", "one_two_three", "_one_two", "one_two_", "__one__two__", "_", "__", "",
    "oneTwo", "one_Two", "ONE_TWO", "One", "ONE", "one2_three4", "one_2three", "one__two",
    "a_b_c_d", "_a", "a_", "1_2", "one_\u{E4}b", "\u{C4}_b", "\u{DF}_\u{DF}", "one_\u{1F600}",
    "\u{130}_i", "i_\u{131}", "e\u{301}_\u{E9}a", "one_TWO", "url_id", "id_URL", "_ONE",
    "a_\u{FB01}x", "\u{1C5}_\u{1C5}", "one two_three", "one-two_three.four",
    "\u{3C3}\u{3C2}_\u{3C3}", "a_b-c d", "a_1b", "a_'b", "o'neil_o'neil", "\u{A0}_a", "a_\u{0}b",
    "_\u{301}a_b", "a_\u{301}b", "x_\u{10428}", "created_at", "html_url", "node_id",
    "\u{65E5}_\u{672C}", "one_two three_four five", "a_b.c_d", "a_bC_dE",
  ]

  struct Keys: Decodable, Equatable {
    let lines: [String]
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      lines = try container.allKeys.map {
        "\(Failure.describe($0)) \(container.contains($0)) \(try container.decode(Int.self, forKey: $0))"
      }.sorted()
    }
  }

  private func document(_ key: String, escaping: Bool = false) -> String {
    let text = key.unicodeScalars.map { scalar in
      if escaping, scalar.value < 0x1_0000 { return String(format: "\\u%04x", scalar.value) }
      return scalar == "\u{0}" ? "\\u0000" : String(scalar)
    }
    return "{\"\(text.joined())\":1}"
  }

  private func check(_ configure: (JSONDecoder) -> Void) {
    for key in Self.keys {
      for document in [document(key), document(key, escaping: true)] {
        expectSame(
          asEachOf: [Keys.self, [String: Int].self, JSONValue.self, [Int: Int].self], document,
          configure: configure)
        expectSame([Keys].self, "[\(document),\(document)]", configure: configure)
        expectSame([String: [String: Int]].self, "{\"k_l\":\(document)}", configure: configure)
        expectSame([[String: Keys]].self, "[{\"k_l\":\(document)}]", configure: configure)
      }
    }
  }

  @Test func `default keys are the same`() { check { $0.keyDecodingStrategy = .useDefaultKeys } }
  @Test func `snake case is the same`() { check(snakeCase) }

  @Test func `custom strategies are the same`() {
    check {
      $0.keyDecodingStrategy = .custom { AnyKey(stringValue: ($0.last?.stringValue ?? "") + "x") }
    }
    check { $0.keyDecodingStrategy = .custom { AnyKey(stringValue: "\($0.count)") } }
    check { $0.keyDecodingStrategy = .custom { _ in AnyKey(stringValue: "same") } }
    check { $0.keyDecodingStrategy = .custom { _ in AnyKey(intValue: 7) } }
  }

  @Test func `custom strategies are called with the same paths`() {
    let document = #"{"a":{"b":[{"c":1,"d":2},{}],"b":0},"e":{"f":{}},"a":7,"g\n":null}"#
    func paths(_ decoder: JSONDecoder) -> [String] {
      final class Calls: Sendable { let lines = Mutex<[String]>([]) }
      let calls = Calls()
      decoder.keyDecodingStrategy = .custom { path in
        calls.lines.withLock { $0.append(path.map(Failure.describe).joined(separator: ".")) }
        return path.last ?? AnyKey(stringValue: "")
      }
      _ = try? decoder.decode([Tree].self, from: Data("[\(document),\(document)]".utf8))
      return calls.lines.withLock { $0 }
    }
    let expected = paths(JSONDecoder())
    #expect(expected.count > 15)
    // Foundation opens objects in the random order of a dictionary, `FastJSONDecoder` in document order.
    #expect(paths(FastJSONDecoder()).sorted() == expected.sorted())
  }

  struct Tree: Decodable {
    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: AnyKey.self) {
        for key in container.allKeys { _ = try container.decode(Tree.self, forKey: key) }
      } else if var elements = try? decoder.unkeyedContainer() {
        while !elements.isAtEnd { _ = try elements.decode(Tree.self) }
      }
    }
  }

  struct Snake: Decodable, Equatable {
    let firstName: String, lastName: String?, x1: Int?, hTML: Int?, created_at: Int?
    let innerMap: [String: Int]?
  }

  @Test func `fields in snake case are found`() {
    for document in [
      #"{"first_name":"a","last_name":"b"}"#, #"{"firstName":"a"}"#, #"{"FIRST_NAME":"a"}"#,
      #"{"First_Name":"a"}"#, #"{"first_name":"a","firstName":"b"}"#,
      #"{"firstName":"b","first_name":"a"}"#, #"{"first_name":1}"#,
      #"{"first_name":"a","x_1":1,"x1":2}"#, #"{"first_name":"a","h_t_m_l":1}"#,
      #"{"first__name":"a"}"#, #"{"first_name":"a","created_at":1}"#,
      #"{"first_name":"a","inner_map":{"a_b":1,"c":2}}"#, "{}", #"{"_first_name":"a"}"#,
      #"{"first_name_":"a"}"#, #"{"first_\u006eame":"a"}"#, #"{"first_name":"a","\x":1}"#,
      #"{"first_name":"a","inner_map":{"a_b":"x"}}"#,
      #"{"first_name":"a","inner_map":null,"inner_map":{"a":1}}"#,
    ] {
      expectSame(Snake.self, document)
      expectSame(Snake.self, document, configure: snakeCase)
      expectSame([Snake].self, "[\(document),\(document)]", configure: snakeCase)
    }
    let outcome = expectSame(Snake.self, #"{"first_name":"a"}"#, configure: snakeCase)
    #expect(outcome.value?.firstName == "a")
  }

  @Test func `errors name converted keys`() {
    for document in [
      #"{"v":{"w_x":1}}"#, #"{"v_w":1}"#, #"{"v":{"k_l":"x"}}"#, #"{"v":null}"#, #"{"v":[]}"#,
      #"{"v":{"\x":1}}"#,
    ] {
      let lowercase = JSONDecoder.KeyDecodingStrategy.custom {
        AnyKey(stringValue: $0.last?.stringValue.lowercased() ?? "")
      }
      for strategy in [.convertFromSnakeCase, lowercase] {
        expectSameFailure(Holder<[String: [Int]]>.self, document) {
          $0.keyDecodingStrategy = strategy
        }
        expectSame(
          asEachOf: [
            Maybe<[String: Int]>.self, Maybe<[Int: Int]>.self, Holder<Holder<Int>>.self,
          ], document
        ) { $0.keyDecodingStrategy = strategy }
      }
    }
  }
}
