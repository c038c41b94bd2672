import CurlewJSON
import Foundation
import TestSupport
import Testing

/// Measures how the time of a decoding grows with its input.
enum Growth {
  /// Expects that eight times the input takes less than 30 times the time, with each of some types.
  ///
  /// What is quadratic takes 64 times as long. The best of several runs counts, and a bad one is
  /// measured again.
  ///
  /// - Parameters:
  ///   - decodes: Whether the document is decoded, or fails.
  ///   - make: Makes a document of a size.
  static func expectLinear(
    _ small: Int, as types: [any Decodable.Type] = [Unread.self], decodes: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation,
    configure: (JSONDecoder) -> Void = { _ in }, make: (Int) -> String
  ) {
    let (few, many) = (Data(make(small).utf8), Data(make(8 * small).utf8))
    func time<T: Decodable>(_ type: T.Type, _ data: Data, runs: Int) -> Double {
      let decoder = FastJSONDecoder()
      configure(decoder)
      let times = (0..<runs).map { _ in
        var isDecoded = !decodes
        let time = processorTime { isDecoded = (try? decoder.decode(type, from: data)) != nil }
        #expect(isDecoded == decodes, sourceLocation: sourceLocation)
        return time / .seconds(1)
      }
      return times.min() ?? 0
    }
    for type in types {
      expectLinear("\(type)", sourceLocation) {
        let first = time(type, few, runs: 3)
        return time(type, many, runs: 2) / first
      }
    }
  }

  /// Expects that one of a few measured ratios of the time of eight times the input is less than 30.
  static func expectLinear(
    _ name: String, _ sourceLocation: SourceLocation = #_sourceLocation, measure: () -> Double
  ) {
    var ratio = Double.infinity
    for _ in 0..<4 where ratio >= 30 { ratio = min(ratio, measure()) }
    #expect(
      ratio < 30, "\(name): 8 times the input took \(ratio) times as long",
      sourceLocation: sourceLocation)
  }
}
