import CurlewJSON
import Documents
import Foundation

/// Compares `FastJSONDecoder` with Foundation's `JSONDecoder`, and with orjson if it is installed.
enum JSONBenchmark {
  static func run(rounds: Int) async throws {
    print("\nDecoding, MB/s, decoders in turns, median of \(rounds) rounds")
    print(
      "".left(30) + "size".right(10) + "JSONDecoder".right(13) + "FastJSONDecoder".right(17)
        + "ratio (middle half)".right(23) + "goal".right(8) + "orjson".right(9))
    let orjson = Orjson(rounds: rounds)
    for set in DataSet.all {
      do {
        try measure(set, rounds, orjson)
      } catch {
        print(set.name.left(30) + "FAILED: \(error)")
      }
    }
    print(
      orjson == nil
        ? "orjson: not there (python3 -c 'import orjson' fails)"
        : "orjson (Python, in C and Rust) decodes to dictionaries and lists, in a process of its own"
    )
    try failing(rounds)
    try await JoiningBenchmark.run(rounds: rounds)
    DoublingBenchmark.run(rounds: min(rounds, 5))
    try DecodingMemory.run(rounds: min(rounds, 3))
  }

  private static func measure(_ set: DataSet, _ rounds: Int, _ orjson: Orjson?) throws {
    let decoders = set.decoders
    guard try set.decodesSame(decoders[0], decoders[1]) else {
      return print(set.name.left(30) + "DIFFERENT VALUES")
    }
    let timings = try Timings(decoders.map { decoder in { try set.decode(decoder) } }, rounds)
    let megabytes = Double(set.data.count) / 1e6
    let size =
      megabytes < 0.001
      ? "\(set.data.count) B" : (megabytes * 1_000).text(0) + " KB"
    let ratios = timings.ratios(0, to: 1)
    let half = "(\(ratios.low.text()) to \(ratios.high.text()))"
    print(
      set.name.left(30) + size.right(10)
        + (megabytes / timings.median(0)).text(0).right(13)
        + (megabytes / timings.median(1)).text(0).right(17)
        + ratios.median.text().right(7) + half.right(16)
        + (set.goal.map { $0.text(0) } ?? "-").right(8)
        + (orjson?.megabytesPerSecond(set.data).map { $0.text(0) } ?? "-").right(9))
  }

  /// Measures a decoding that fails in the last issue of the page.
  private static func failing(_ rounds: Int) throws {
    let data = Data(IssuePage.textWithMismatch.utf8)
    func failure(of decoder: JSONDecoder) -> String {
      do {
        return "\(try decoder.decode([Issue].self, from: data).count) issues, no error"
      } catch {
        return "\(error)"
      }
    }
    let decoders = [JSONDecoder(), FastJSONDecoder()]
    let failures = decoders.map(failure)
    let timings = try Timings(decoders.map { decoder in { _ = failure(of: decoder) } }, rounds)
    print(
      """
      A type mismatch in the last issue: JSONDecoder \((timings.median(0) * 1e6).text(0)) us, \
      FastJSONDecoder \((timings.median(1) * 1e6).text(0)) us, ratio \
      \(timings.ratios(0, to: 1).median.text()); \
      \(failures[0] == failures[1] ? "the same error" : "DIFFERENT ERRORS: \(failures)")
      """)
  }
}
