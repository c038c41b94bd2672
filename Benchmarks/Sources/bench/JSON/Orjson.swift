import Foundation

/// Python's fastest JSON decoder, orjson; `nil` if it is not installed.
struct Orjson {
  private let rounds: Int

  init?(rounds: Int) {
    self.rounds = rounds
    guard Self.python("import orjson; print(1)") != nil else { return nil }
  }

  /// Returns its speed on a document, measured like the Swift decoders, but after them.
  func megabytesPerSecond(_ data: Data) -> Double? {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "curlew-bench-\(ProcessInfo.processInfo.processIdentifier).json")
    guard (try? data.write(to: file)) != nil else { return nil }
    defer { try? FileManager.default.removeItem(at: file) }
    return Self.python(Self.script, file.path, "\(rounds)")
  }

  private static let script = """
    import orjson, statistics, sys, time
    data = open(sys.argv[1], "rb").read()
    def seconds(count):
      start = time.perf_counter()
      for _ in range(count): orjson.loads(data)
      return (time.perf_counter() - start) / count
    seconds(1)
    count = max(1, int(0.04 / seconds(max(1, int(0.04 / seconds(1))))))
    print(len(data) / 1e6 / statistics.median(seconds(count) for _ in range(int(sys.argv[2]))))
    """

  /// Returns the number printed by a script.
  private static func python(_ script: String, _ arguments: String...) -> Double? {
    ChildProcess.output(of: "python3", ["-c", script] + arguments).flatMap { text in
      Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }
}
