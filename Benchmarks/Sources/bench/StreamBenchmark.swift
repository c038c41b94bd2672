import Foundation

/// Compares large transfers: their speed, and the peak memory of their processes minus an idle process's.
enum StreamBenchmark {
  private static let size = 300_000_000

  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "curlew-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "up")
    FileManager.default.createFile(atPath: source.path, contents: nil)
    let handle = try FileHandle(forWritingTo: source)
    for _ in 0..<300 { try handle.write(contentsOf: Data(count: size / 300)) }
    try handle.close()
    var seconds: [Transfer: [Double]] = [:]
    var peaks: [Transfer: [Double]] = [:]
    // In turns, so that disturbances affect all transfers.
    for _ in 0..<rounds {
      for kind in Transfer.allCases {
        let file = kind.rawValue.hasSuffix("up") ? source : folder.appending(path: kind.rawValue)
        let (time, peak) = try measure(kind, server.port, file)
        seconds[kind, default: []].append(time)
        peaks[kind, default: []].append(peak)
      }
    }
    let idle = peaks[.idle]?.median ?? 0
    print("300 MB over loopback, each in a process of its own, median of \(rounds) rounds")
    for kind in Transfer.allCases where kind != .idle {
      let speed = Double(size) / 1e6 / (seconds[kind]?.median ?? 1)
      let isCurl = kind == .curlDown || kind == .curlUp
      let peak =
        isCurl
        ? "" : String(format: "%6.1f MB over idle", ((peaks[kind]?.median ?? 0) - idle) / 1024)
      print(
        kind.name.padding(toLength: 46, withPad: " ", startingAt: 0)
          + String(format: "%7.0f MB/s   ", speed) + peak)
    }
    func ratio(_ one: Transfer, _ other: Transfer) -> String {
      String(format: "%.2f", (seconds[other]?.median ?? 0) / (seconds[one]?.median ?? 1))
    }
    print(
      """
      Curlew / raw AsyncHTTPClient, down: \(ratio(.curlewDown, .rawDown))   up: \(ratio(.curlewUp, .rawUp)) \
      (at least 0.90)
      Curlew / curl, down:                \(ratio(.curlewDown, .curlDown))   up: \(ratio(.curlewUp, .curlUp))
      """)
  }

  private static func measure(
    _ kind: Transfer, _ port: Int, _ file: URL
  ) throws -> (seconds: Double, peak: Double) {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["transfer", kind.rawValue, "\(port)", "\(size)", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if kind.rawValue.hasSuffix("down") { try? FileManager.default.removeItem(at: file) }
    let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard figures.count == 2 else { throw Server.NoPort(line: "\(kind.name): \(text)") }
    return (figures[0], figures[1])
  }
}
