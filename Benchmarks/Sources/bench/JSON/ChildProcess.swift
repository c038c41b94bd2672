import Foundation

/// A program that runs to completion in a separate process.
enum ChildProcess {
  /// Returns the output of a program in the search path; `nil` if it is missing or fails.
  static func output(of program: String, _ arguments: [String]) -> String? {
    output(of: URL(filePath: "/usr/bin/env"), [program] + arguments)
  }

  /// Returns the output of this program with other arguments; `nil` if it fails.
  static func output(ofThisWith arguments: [String]) -> String? {
    output(of: URL(filePath: CommandLine.arguments[0]), arguments)
  }

  private static func output(of program: URL, _ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text : nil
  }
}
