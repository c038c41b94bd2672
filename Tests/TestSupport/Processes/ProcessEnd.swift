#if os(macOS) || os(Linux)
  public import Foundation

  /// How a process ended.
  public struct ProcessEnd: Equatable, Sendable {
    /// The exit status, or the number of the signal that ended the process.
    public let status: Int32
    /// Whether the process exited by itself; otherwise a signal ended it.
    public let isExit: Bool

    /// The end of a successful process.
    public static let success = ProcessEnd(status: 0, isExit: true)
  }

  extension Process {
    /// Runs a command to its end; cancelling the task kills it.
    ///
    /// Its output goes to a file: a pipe may stay open after its end, for the reason that `end()` documents.
    ///
    /// - Parameters:
    ///   - command: The program, found via `PATH`, and its arguments.
    ///   - input: Its standard input; empty by default.
    ///   - environment: Its environment instead of this process's.
    /// - Returns: How it ended, and its standard output.
    public static func run(
      _ command: [String], input: FileHandle = .nullDevice, environment: [String: String]? = nil
    ) async throws -> (end: ProcessEnd, output: Data) {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try Data().write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = command
      if let environment { process.environment = environment }
      process.standardInput = input
      process.standardOutput = try FileHandle(forWritingTo: file)
      try process.run()
      return (await process.end(), try Data(contentsOf: file))
    }

    /// Waits until a running process has ended; cancelling the task kills it.
    ///
    /// Neither `waitUntilExit` nor `terminationHandler` is enough: on Linux `Process` detects the end when a socket
    /// that the child inherited is closed, and a child that another thread starts at the same moment inherits that
    /// socket, too. If that child is a server, the end is reported only when the server ends, many tests later. So this
    /// function calls `waitid`. On Linux that also reaps the child: the monitor of swift-testing's exit tests waits for
    /// any ended child that is not reaped, and would never get to its own child.
    public func end() async -> ProcessEnd {
      let pid = processIdentifier
      let (ends, ended) = AsyncStream<ProcessEnd?>.makeStream()
      Thread.detachNewThread {
        ended.yield(systemEnd(of: pid))
        ended.finish()
      }
      let end = await withTaskCancellationHandler {
        // In a separate task, because a cancelled task would not wait.
        await Task { await ends.first { _ in true } ?? nil }.value
      } onCancel: {
        kill(pid, SIGKILL)
      }
      if let end { return end }
      // `Process` has reaped the child and has the status, or will have it at once.
      waitUntilExit()
      return ProcessEnd(status: terminationStatus, isExit: terminationReason == .exit)
    }
  }

  /// Blocks until a child has ended; returns `nil` when its status was already read.
  private func systemEnd(of pid: Int32) -> ProcessEnd? {
    var info = siginfo_t()
    var result: Int32
    repeat {
      #if os(Linux)
        result = waitid(P_PID, id_t(pid), &info, WEXITED)
      #else
        result = waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
      #endif
    } while result != 0 && errno == EINTR
    guard result == 0 else { return nil }
    #if canImport(Darwin)
      let status = info.si_status
    #else
      let status = info._sifields._sigchld.si_status
    #endif
    return ProcessEnd(status: status, isExit: info.si_code == CLD_EXITED)
  }
#endif
