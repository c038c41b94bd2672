import Curlew
import Foundation

/// A chromedriver process: the server through which tests drive Chromium.
struct ChromeDriver {
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  /// Where it listens.
  let baseURL: BaseURL
  private let process: Process
  private let leash: Pipe
  private let end: AsyncStream<Never>

  /// Where chromedriver is installed; `nil` when it is not.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/chromedriver" }
    let candidates = [environment["CHROMEDRIVER"]].compactMap { $0 } + folders
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Starts a process and returns when it listens.
  static func start() async throws -> ChromeDriver {
    guard let path else { throw NotStarted(description: "chromedriver is not installed") }
    let (process, output, leash) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    // The shell waits on a pipe that the system closes when this process ends, however it ends. It
    // then kills its process group, which is its own: chromedriver and the browsers of it. No
    // gentler signal would do: they are blocked, because this process's threads block them.
    process.arguments = ["-c", #""$0" --port=0 & cat > /dev/null; kill -9 0"#, path]
    process.standardInput = leash
    process.standardOutput = output
    process.standardError = output
    let (end, hasEnded) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in hasEnded.finish() }
    let (chunks, read) = AsyncStream<Data>.makeStream()
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      read.yield(data)
      guard data.isEmpty else { return }
      handle.readabilityHandler = nil
      read.finish()
    }
    try process.run()
    var text = ""
    for await chunk in chunks {
      text += String(decoding: chunk, as: UTF8.self)
      guard let match = text.firstMatch(of: #/started successfully on port (\d+)/#) else {
        continue
      }
      // From here on its output is read and dropped, so that it never waits for a reader.
      read.finish()
      let baseURL = try BaseURL("http://127.0.0.1:\(match.1)")
      return ChromeDriver(baseURL: baseURL, process: process, leash: leash, end: end)
    }
    throw NotStarted(description: "chromedriver did not start: \(text)")
  }

  /// Ends the process, and the browsers that are still open.
  func stop() async {
    try? leash.fileHandleForWriting.close()
    for await _ in end {}
  }
}
