import CurlewJSON
import Foundation
import TestSupport
import Testing

/// Measures the growth of the decoding time with the size of the input.
enum Growth {
  /// Expects that eight times the input takes less than 30 times as long, for several types.
  ///
  /// Quadratic decoding takes 64 times as long. The fastest of several runs counts, and failed measurements are
  /// repeated.
  ///
  /// - Parameters:
  ///   - decodes: Whether decoding succeeds.
  ///   - make: Creates a document of a given size.
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

  /// Expects that at least one of several measured time ratios, for eight times the input, is less than 30.
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
