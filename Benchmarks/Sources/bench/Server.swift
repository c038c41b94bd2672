import Foundation

/// A server process for the clients' requests.
struct Server {
  let port: Int
  private let process: Process
  private let input: Pipe

  /// Starts a program that prints its port, by default the server for comparing clients.
  init(_ program: String = "BenchServer", _ arguments: [String] = []) throws {
    process = Process()
    // A path, or the name of a program beside this program.
    process.executableURL =
      program.hasPrefix("/")
      ? URL(filePath: program)
      : URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program)
    process.arguments = arguments
    input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw NoPort(line: line)
    }
    self.port = port
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  struct NoPort: Error {
    let line: String
  }
}
