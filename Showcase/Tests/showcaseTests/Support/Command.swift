import CurlewTesting
import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing
import showcase

/// Runs the built `showcase` executable, as a shell would.
struct Command {
  /// The result of a run.
  struct Outcome {
    let status: Int32
    /// Whether the process exited by itself, instead of by a signal.
    let isExit: Bool
    let output: String
    let error: String

    /// The lines of standard error.
    var complaints: [Substring] { error.split(separator: "\n") }
  }

  /// The path of the executable, beside the bundle of these tests.
  static let binary: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return folder.appending(path: "showcase")
  }()

  /// Runs a closure with a temporary file, in its own folder.
  static func withFile<Value>(
    _ content: String, _ body: (String) async throws -> Value
  ) async throws -> Value {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(content.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file.path)
  }

  /// Runs the command until it exits.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], output: FileHandle? = nil,
    error: FileHandle? = nil
  ) async throws -> Outcome {
    try await run(arguments, environment: environment, output: output, error: error)
  }

  /// Runs the command until it exits, and expects success.
  @discardableResult
  static func succeed(
    _ arguments: String..., environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let outcome = try await run(arguments, environment: environment)
    #expect(outcome.status == 0, "\(outcome.error)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Runs the command, interrupts it after its first output, and returns the output.
  static func interrupted(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> (outcome: Outcome, text: String) {
    try await withFile("") { path in
      let file = URL(filePath: path)
      let watcher = Mutex<Task<Void, any Error>?>(nil)
      let outcome = try await run(
        arguments, environment: environment, output: FileHandle(forWritingTo: file), isShells: true
      ) { number in
        watcher.withLock {
          $0 = Task {
            while try Data(contentsOf: file).isEmpty {
              try await Task.sleep(for: .milliseconds(50))
            }
            kill(number, SIGINT)
          }
        }
      }
      return (outcome, try String(contentsOf: file, encoding: .utf8))
    }
  }

  /// Whether GNU's `env` is available.
  #if os(Linux)
    static let canBeShells = true
  #else
    static let canBeShells = false
  #endif

  /// The commands that start a sandbox by default.
  private static let sandboxed = Set(Showcase.commandNames).subtracting([
    "cache", "download", "drift",
  ])

  /// The cache folder of the commands: not the user's, and not used in an earlier run.
  private static let cacheFolder = FileManager.default.temporaryDirectory
    .appending(path: "curlew-caches-\(ProcessInfo.processInfo.processIdentifier)")

  /// Adds a port for the sandbox, because another test, or a showcase of this machine, may use the default port.
  private static func arguments(_ arguments: [String], sandboxPort: String?) -> [String] {
    guard let sandboxPort, let command = arguments.first, sandboxed.contains(command),
      !arguments.contains(where: ["--live", "--replay", "--sandbox-port"].contains)
    else { return arguments }
    return arguments + ["--sandbox-port", sandboxPort]
  }

  /// Runs the command until it exits; its output goes to files, so that it never waits for a
  /// reader.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the command's name.
  ///   - input: The standard input; empty by default.
  ///   - keyboard: The standard input, instead of `input`.
  ///   - environment: The differences from the tests' environment.
  ///   - output: The standard output, instead of a file.
  ///   - error: The standard error, instead of a file.
  ///   - sandboxPort: The port of the command's sandbox, a free one by default; `nil` for no option.
  ///   - onStart: Called with the process ID.
  ///   - isShells: Whether a broken pipe and Control-C end the process, as under a shell. NIO in
  ///     these tests ignores SIGPIPE, and running the tests in the background ignores SIGINT; child
  ///     processes inherit both. Needs GNU's `env`.
  static func run(
    _ arguments: [String], input: String = "", keyboard: FileHandle? = nil,
    environment: [String: String] = [:], output: FileHandle? = nil,
    error: FileHandle? = nil, isShells: Bool = false, sandboxPort: String? = "0",
    onStart: (Int32) -> Void = { _ in }
  ) async throws -> Outcome {
    try await withFile("") { outputPath in
      try await withFile("") { errorPath in
        let process = Process()
        process.executableURL = isShells ? URL(filePath: "/usr/bin/env") : binary
        process.arguments =
          (isShells ? ["--default-signal=PIPE,INT", binary.path] : [])
          + Self.arguments(arguments, sandboxPort: sandboxPort)
        process.environment = ProcessInfo.processInfo.environment
          .merging(["XDG_CACHE_HOME": cacheFolder.path]) { $1 }
          .filter { !["COLUMNS", "GITHUB_TOKEN", "NO_COLOR", "TMDB_API_KEY"].contains($0.key) }
          .merging(environment) { $1 }
        let lines = Pipe()
        process.standardInput = keyboard ?? (input.isEmpty ? FileHandle.nullDevice : lines)
        process.standardOutput =
          try output ?? FileHandle(forWritingTo: URL(filePath: outputPath))
        process.standardError =
          try error ?? FileHandle(forWritingTo: URL(filePath: errorPath))
        try process.run()
        // A few lines fit into the buffer of a pipe.
        try lines.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try lines.fileHandleForWriting.close()
        onStart(process.processIdentifier)
        let end = await process.end()
        try Task.checkCancellation()
        return Outcome(
          status: end.status, isExit: end.isExit,
          output: try String(contentsOfFile: outputPath, encoding: .utf8),
          error: try String(contentsOfFile: errorPath, encoding: .utf8))
      }
    }
  }
}
