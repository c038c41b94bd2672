import CurlewJSON
import Foundation

/// Shows that `FastJSONDecoder` takes linear time for inputs that cause quadratic or worse time in careless decoders:
/// doubling the input doubles the time.
enum DoublingBenchmark {
  private struct Input {
    let name: String
    let count: Int
    let make: (Int) -> String
    let decode: (Data) -> Void
  }

  /// A type whose initializer decodes nothing.
  private struct Unread: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  private struct Fields: Decodable {
    let key1: Int?
    let key77: Int?
    let missing: Int?
  }

  static func run(rounds: Int) {
    print("\nTime for once, twice and four times as much, ms, best of \(rounds) rounds")
    for input in inputs {
      let times = [1, 2, 4].map { factor in
        let data = Data(input.make(input.count * factor).utf8)
        return (0..<rounds).map { _ in
          ContinuousClock().measure { input.decode(data) } / .milliseconds(1)
        }.min() ?? 0
      }
      print(
        "\((input.count * 4).formatted()) \(input.name)".left(46)
          + times.map { $0.text(2).right(10) }.joined()
          + "   times \((times[1] / times[0]).text(1)), \((times[2] / times[1]).text(1))")
    }
  }

  private static var inputs: [Input] {
    [
      Input(
        name: "keys, as a dictionary", count: 25_000,
        make: { object($0) { "\"key\($0)\":\($0)" } }, decode: decode([String: Int].self)),
      Input(
        name: "keys, three of them read", count: 25_000,
        make: { object($0) { "\"key\($0)\":\($0)" } }, decode: decode(Fields.self)),
      Input(
        name: "equal keys", count: 250_000,
        make: { object($0) { _ in "\"key1\":1" } }, decode: decode(Fields.self)),
      Input(
        name: "empty arrays", count: 250_000,
        make: { "[" + String(repeating: "[],", count: $0 - 1) + "[]]" },
        decode: decode([[Int]].self)),
      Input(
        name: "levels, too deep", count: 25_000,
        make: { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) },
        decode: decode(Unread.self)),
      Input(
        name: "bytes of one string", count: 50_000_000,
        make: { "\"" + String(repeating: "a", count: $0 - 2) + "\"" }, decode: decode(String.self)),
    ]
  }

  private static func object(_ count: Int, _ member: (Int) -> String) -> String {
    "{" + (0..<count).map(member).joined(separator: ",") + "}"
  }

  private static func decode<Value: Decodable>(_ type: Value.Type) -> (Data) -> Void {
    { _ = try? FastJSONDecoder().decode(type, from: $0) }
  }
}
