// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(macOS) || os(Linux)
  import Foundation

  /// A redis-server on a Unix socket in a temporary folder, which stores nothing in files.
  public final class RedisProcess: Sendable {
    /// Whether tests with Redis run: in CI they are not skipped, but fail, if redis-server is not installed.
    public static var isExpected: Bool {
      path != nil || ProcessInfo.processInfo.environment["CI"] != nil
    }

    /// The path of redis-server; `nil` if it is not installed.
    public static let path = [
      ProcessInfo.processInfo.environment["REDIS_SERVER"], "/usr/bin/redis-server",
      "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server", "/usr/bin/valkey-server",
    ].compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The path of the socket.
    public let socket: String
    private let process: ChildProcess
    private let pid: Int32

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - options: More options.
    ///   - socket: The path of an earlier server's socket; by default a new one.
    public init(_ options: [String] = [], at socket: String? = nil) async throws {
      // A short path: the system's limit is some 100 bytes.
      self.socket = socket ?? "/tmp/curlew-\(UUID().uuidString.prefix(8)).sock"
      let folder = FileManager.default.temporaryDirectory
      let text: String
      (process, text) = try await ChildProcess.start(
        Self.path ?? "redis-server",
        [
          "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no",
          "--dir", folder.path, "--daemonize", "no",
        ] + options, readyWhen: #"pid=(\d+)[\s\S]*[Rr]eady to accept"#)
      pid = Int32(text) ?? 0
    }

    /// Stops the server without ending it; `resume()` continues it.
    public func pause() { kill(pid, SIGSTOP) }

    /// Continues a paused server.
    public func resume() { kill(pid, SIGCONT) }

    /// Runs a command with redis-cli; returns its output.
    ///
    /// - Parameter password: The password that the server needs.
    @discardableResult
    public func run(_ command: [String], password: String? = nil) async throws -> String {
      let cli = (Self.path ?? "redis-server").replacing("-server", with: "-cli")
      let output = try await Process.run(
        [cli, "-s", socket, "--no-auth-warning"] + (password.map { ["-a", $0] } ?? []) + command
      ).output
      return String(decoding: output, as: UTF8.self)
    }

    /// The names and values of all keys.
    public var text: String {
      get async throws {
        var text = ""
        for key in try await run(["KEYS", "*"]).split(separator: "\n") {
          text += "\(key)\n" + (try await run(["HGETALL", String(key)]))
        }
        return text
      }
    }

    /// Kills the server.
    public func stop() async {
      await process.stop()
      try? FileManager.default.removeItem(atPath: socket)
    }
  }
#endif
