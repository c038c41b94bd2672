import CurlewTesting
import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing

/// Runs the built `showcase` as a shell would.
struct Command {
  /// What a run left behind.
  struct Outcome {
    let status: Int32
    /// Whether it ended by itself, and not by a signal.
    let isExit: Bool
    let output: String
    let error: String

    /// The lines of standard error.
    var complaints: [Substring] { error.split(separator: "\n") }
  }

  /// Where the build put it: beside the bundle of these tests.
  static let binary: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return folder.appending(path: "showcase")
  }()

  /// A file's content in a folder of its own, gone after the body.
  static func withFile<Value>(
    _ content: String, _ body: (String) async throws -> Value
  ) async throws -> Value {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(content.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file.path)
  }

  /// Runs it to its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], output: FileHandle? = nil,
    error: FileHandle? = nil
  ) async throws -> Outcome {
    try await run(arguments, environment: environment, output: output, error: error)
  }

  /// Runs it to its end, and expects that it succeeds.
  @discardableResult
  static func succeed(
    _ arguments: String..., environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let outcome = try await run(arguments, environment: environment)
    #expect(outcome.status == 0, "\(outcome.error)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Runs it until it has written something, interrupts it, and returns what it has written.
  static func interrupted(_ arguments: String...) async throws -> (outcome: Outcome, text: String) {
    try await withFile("") { path in
      let file = URL(filePath: path)
      let watcher = Mutex<Task<Void, any Error>?>(nil)
      let outcome = try await run(
        arguments, output: FileHandle(forWritingTo: file), isShells: true
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

  /// Whether there is GNU's `env`.
  #if os(Linux)
    static let canBeShells = true
  #else
    static let canBeShells = false
  #endif

  /// The commands that start a sandbox unless they get their data from elsewhere.
  private static let sandboxed: Set = [
    "dogs", "issues", "itunes", "movies", "repositories", "repository", "screen", "watch",
  ]

  /// The folder of its caches: none of the user's, and none of an earlier run.
  private static let cacheFolder = FileManager.default.temporaryDirectory
    .appending(path: "curlew-caches-\(ProcessInfo.processInfo.processIdentifier)")

  /// Adds a free port for the sandbox: the usual one may be another test's.
  private static func onFreePort(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, sandboxed.contains(command),
      !arguments.contains(where: ["--live", "--replay", "--sandbox-port"].contains)
    else { return arguments }
    return arguments + ["--sandbox-port", "0"]
  }

  /// Runs it to its end; its output goes to files, so that it never waits for a reader.
  ///
  /// - Parameters:
  ///   - arguments: What stands after its name.
  ///   - input: What it reads from its standard input; nothing by default.
  ///   - keyboard: Its standard input, instead of `input`.
  ///   - environment: What differs from that of the tests.
  ///   - output: Its standard output, instead of a file.
  ///   - error: Its standard error, instead of a file.
  ///   - onStart: Called with the process's number.
  ///   - isShells: Whether a broken pipe and Control-C end it, as under a shell: these tests' NIO
  ///     ignores the one, whoever runs the tests in the background the other, and children inherit
  ///     that. Needs GNU's `env`.
  static func run(
    _ arguments: [String], input: String = "", keyboard: FileHandle? = nil,
    environment: [String: String] = [:], output: FileHandle? = nil,
    error: FileHandle? = nil, isShells: Bool = false, onStart: (Int32) -> Void = { _ in }
  ) async throws -> Outcome {
    try await withFile("") { outputPath in
      try await withFile("") { errorPath in
        let process = Process()
        process.executableURL = isShells ? URL(filePath: "/usr/bin/env") : binary
        process.arguments =
          (isShells ? ["--default-signal=PIPE,INT", binary.path] : []) + onFreePort(arguments)
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
        // A few lines: less than a pipe holds.
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
