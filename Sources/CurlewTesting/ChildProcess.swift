#if os(macOS) || os(Linux)
  import Foundation

  /// A server of another program, which ends with this process at the latest.
  package struct ChildProcess {
    package struct NotStarted: Error, CustomStringConvertible {
      package let description: String

      package init(description: String) {
        self.description = description
      }
    }

    private let process: Process
    private let lifeline: Pipe
    private let end: AsyncStream<Never>

    /// Starts a program; returns it with the first group of a pattern that it printed when it was
    /// ready, such as its port.
    package static func start(
      _ path: String, _ arguments: [String], readyWhen pattern: String
    ) async throws -> (ChildProcess, String) {
      let (process, output, lifeline) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      // The shell waits on a pipe that the system closes when this process ends, however it ends. It
      // then kills its process group, which is its own: the program and what that has started. No
      // gentler signal would do: they are blocked, because this process's threads block them.
      process.arguments = ["-c", #""$0" "$@" & cat > /dev/null; kill -9 0"#, path] + arguments
      process.standardInput = lifeline
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
      let ready = try Regex(pattern, as: (Substring, Substring).self)
      var text = ""
      for await chunk in chunks {
        text += String(decoding: chunk, as: UTF8.self)
        guard let match = text.firstMatch(of: ready) else { continue }
        // From here on its output is read and dropped, so that it never waits for a reader.
        read.finish()
        return (
          ChildProcess(process: process, lifeline: lifeline, end: end), String(match.output.1)
        )
      }
      throw NotStarted(description: "\(path) did not start: \(text)")
    }

    /// Ends the program, and what it has started.
    package func stop() async {
      try? lifeline.fileHandleForWriting.close()
      for await _ in end {}
    }
  }
#endif
