// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(macOS) || os(Linux)
  import Foundation

  /// A child process that runs a server and ends, at the latest, when this process ends.
  public struct ChildProcess: Sendable {
    public struct LaunchFailure: Error, CustomStringConvertible, Sendable {
      public let description: String

      public init(description: String) {
        self.description = description
      }
    }

    private let process: Process
    private let input: Pipe

    /// Returns the path of a program that is built beside the tests.
    public static func built(_ name: String) -> String {
      let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
      return (tests ?? URL(filePath: CommandLine.arguments[0]))
        .deletingLastPathComponent().appending(path: name).path
    }

    /// Starts a program and waits until its output matches a pattern.
    ///
    /// - Returns: The process, and the pattern's first capture group, such as a port.
    public static func start(
      _ path: String, _ arguments: [String], readyWhen pattern: String
    ) async throws -> (ChildProcess, String) {
      let (process, output, input) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      // The shell reads from a pipe that the system closes when this process ends, even if it crashes. It then kills
      // its own process group: the program and the program's children. It sends SIGKILL because the children inherit
      // this process's signal mask, which blocks other signals. The shell's output is detached from the program's,
      // which ends with the program.
      let script = #"{ "$0" "$@"; kill -9 0; } & exec > /dev/null 2>&1; cat; kill -9 0"#
      process.arguments = ["-c", script, path] + arguments
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      let (chunks, read) = AsyncStream<Data>.makeStream()
      output.fileHandleForReading.readabilityHandler = { handle in
        let data = handle.availableData
        read.yield(data)
        guard data.isEmpty else { return }
        handle.readabilityHandler = nil
        read.finish()
      }
      try process.run()
      let ready = try Regex(pattern, as: (Substring, Substring).self)
      var text = ""
      for await chunk in chunks {
        text += String(decoding: chunk, as: UTF8.self)
        guard let match = text.firstMatch(of: ready) else { continue }
        // From here on the output is read and discarded, so that a full pipe never blocks the program.
        read.finish()
        return (ChildProcess(process: process, input: input), String(match.output.1))
      }
      try? input.fileHandleForWriting.close()
      throw LaunchFailure(description: "\(path) did not start: \(text)")
    }

    /// Asks the program to shut down, and waits for its end.
    ///
    /// The shell inherits this process's signal mask, and so ignores the signal.
    public func terminate() async {
      kill(-process.processIdentifier, SIGTERM)
      _ = await process.end()
    }

    /// Kills the program and its children.
    public func stop() async {
      try? input.fileHandleForWriting.close()
      kill(-process.processIdentifier, SIGKILL)
      _ = await process.end()
    }
  }
#endif
