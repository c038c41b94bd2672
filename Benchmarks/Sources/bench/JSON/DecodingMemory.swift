import CMemory
import CurlewJSON
import Documents
import Foundation

/// Measures the memory for decoding a large document, each decoder in a separate process.
enum DecodingMemory {
  private static let decoders = ["JSONDecoder", "FastJSONDecoder"]

  static func run(rounds: Int) throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "curlew-bench-memory-\(ProcessInfo.processInfo.processIdentifier).json")
    defer { try? FileManager.default.removeItem(at: file) }
    print(
      """

      Memory for one decoding, MB per MB of JSON, in a process of its own, median of \(rounds) rounds
      \("".left(48))\("peak added".right(12))\("of it value".right(13))\("kept after".right(12))
      """)
    let issues = IssuePage.text(count: 3_600)
    for (type, text) in [("Issue", issues), ("FullIssue", issues), ("Double", Self.doubles)] {
      try Data(text.utf8).write(to: file)
      let megabytes = Double(text.utf8.count) / 1e6
      for decoder in decoders {
        let figures = (0..<rounds).compactMap { _ in measure(decoder, type, file) }
        guard figures.count == rounds else {
          print("\(decoder), [\(type)]: the process failed")
          continue
        }
        print(
          "\(decoder), [\(type)], \(megabytes.text(1)) MB".left(48)
            + (0..<3).map { index in
              (figures.map { $0[index] }.median / megabytes / 1e6).text().right(12)
            }.joined())
      }
    }
  }

  private static var doubles: String {
    "[\(Array(repeating: Documents.doubles.dropFirst().dropLast(), count: 20).joined(separator: ","))]"
  }

  private static func measure(_ decoder: String, _ type: String, _ file: URL) -> [Double]? {
    let text = ChildProcess.output(ofThisWith: ["memory", decoder, type, file.path])
    let figures = (text ?? "").split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return figures.count == 3 ? figures : nil
  }

  /// Runs in the child process: `memory DECODER TYPE FILE`.
  ///
  /// Prints, in bytes, the increase of the peak resident memory by decoding, the size of the value, and the memory that
  /// remains allocated after it is released.
  static func runInChild(_ arguments: ArraySlice<String>) throws {
    let arguments = Array(arguments)
    guard arguments.count == 3, decoders.contains(arguments[0]) else {
      throw Transfer.BadArguments()
    }
    let decoder = arguments[0] == "JSONDecoder" ? JSONDecoder() : FastJSONDecoder()
    let data = try Data(contentsOf: URL(filePath: arguments[2]))
    switch arguments[1] {
    case "Issue": try measure([Issue].self, data, decoder)
    case "FullIssue": try measure([FullIssue].self, data, decoder)
    default: try measure([Double].self, data, decoder)
    }
  }

  private static func measure<Value: Decodable>(
    _: [Value].Type, _ data: Data, _ decoder: JSONDecoder
  ) throws {
    // The first decoding allocates memory that the process keeps.
    _ = try decoder.decode([Value].self, from: Data("[]".utf8))
    let (peak, allocated) = (try peakMemory(), bytes_allocated())
    var value = try decoder.decode([Value].self, from: data)
    let added = try peakMemory() - peak
    let size = Int(bytes_allocated()) - Int(allocated)
    value = []
    withExtendedLifetime(value) {}
    print(added * 1_024, size, Int(bytes_allocated()) - Int(allocated))
  }
}
