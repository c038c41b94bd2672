import CurlewJSON
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// Measures how the time of a decoding grows with its input.
enum Growth {
  /// Expects that eight times the input takes less than 30 times the time.
  ///
  /// What is quadratic takes 64 times as long. The best of several runs counts, and a bad one is
  /// measured again.
  static func expectLinear(
    _ name: String, small: Int, sourceLocation: SourceLocation = #_sourceLocation,
    make: (Int) -> Data, decode: (Data) -> Bool
  ) {
    let (few, many) = (make(small), make(8 * small))
    var ratio = Double.infinity
    for _ in 0..<4 where ratio >= 30 {
      let first = time(few, decode, runs: 3)
      let second = time(many, decode, runs: 2)
      ratio = min(ratio, second / first)
    }
    #expect(
      ratio < 30, "\(name): 8 times the input took \(ratio) times as long",
      sourceLocation: sourceLocation)
  }

  private static func time(_ data: Data, _ decode: (Data) -> Bool, runs: Int) -> Double {
    var best = Duration.seconds(1_000)
    for _ in 0..<runs {
      var isRight = false
      best = min(best, processorTime { isRight = decode(data) })
      #expect(isRight)
    }
    return best / .seconds(1)
  }

  /// Whether a document is decoded as a type.
  static func decodes<T: Decodable>(
    _ type: T.Type, _ data: Data, configure: (JSONDecoder) -> Void = { _ in }
  ) -> Bool {
    let decoder = FastJSONDecoder()
    configure(decoder)
    return (try? decoder.decode(type, from: data)) != nil
  }

  static func object(_ count: Int, _ member: (Int) -> String) -> Data {
    Data("{\((0..<count).map(member).joined(separator: ","))}".utf8)
  }
}
