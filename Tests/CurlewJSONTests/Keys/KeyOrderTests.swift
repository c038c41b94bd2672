import Foundation
import Testing

/// A decoder expects a type's keys in the order of their first requests.
@Suite(.timeLimit(.minutes(1)))
struct KeyOrderTests {
  /// Keys of which two have the same name, and one name is not plain.
  enum Keys: Int, CodingKey, CaseIterable {
    case a, longerThanFifteenBytes, b, sameAsB, umlaut
    init?(stringValue: String) { nil }
    var stringValue: String {
      switch self {
      case .a: "a"
      case .longerThanFifteenBytes: "longerThanFifteenBytes"
      case .b, .sameAsB: "b"
      case .umlaut: "\u{E4}"
      }
    }
  }

  /// Requests keys in the order given in the document, each with several methods.
  enum Requests: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let order = try decoder.container(keyedBy: AnyKey.self).decode([Int].self, forKey: "order")
      let container = try decoder.container(keyedBy: Keys.self)
      for key in order.compactMap(Keys.init(rawValue:)) {
        log.add(container.contains(key))
        log.attempt { try container.decodeNil(forKey: key) }
        log.attempt { try container.decodeIfPresent(Int.self, forKey: key) as Any }
        log.attempt { try container.decode([[Int]].self, forKey: key) }
      }
    }
  }

  private let members = [
    [], ["\"a\":1", "\"longerThanFifteenBytes\":2", "\"b\":3"],
    ["\"b\":[[0],[\"x\"]]", "\"a\":null"],
    ["\"longer_than_fifteen_bytes\":4", "\"longerThanFifteenBytes\":[[]]", "\"\u{E4}\":5"],
  ]

  @Test func `every order of requests is the same`() {
    for configure in [{ _ in }, snakeCase] as [(JSONDecoder) -> Void] {
      for order in Keys.allCases.map(\.rawValue).permutations {
        // The order of an object before it, which the decoder expects again, and some of the keys.
        let objects = [order.sorted(), order, Array(order.dropFirst(2)), order + order].flatMap {
          order in
          members.map { ($0 + ["\"order\":\(order)"]).object }
        }
        expectSame([Probe<Requests>].self, objects.array, configure: configure)
      }
    }
  }

  struct Failing: Decodable, Equatable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      _ = try container.decode([Int].self, forKey: .b)
      _ = try container.decode([String].self, forKey: .sameAsB)
    }
  }

  @Test func `an error has the requested key of several with the same name`() {
    let failure = expectSameFailure([Failing].self, #"[{"b":[]},{"b":[1]}]"#)
    #expect(failure?.path == ["Index 1#1", "b#3", "Index 0#0"])
  }
}
