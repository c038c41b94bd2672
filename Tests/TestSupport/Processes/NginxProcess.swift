#if os(macOS) || os(Linux)
  public import Foundation

  /// An nginx with a temporary folder of its own.
  public final class NginxProcess {
    /// Whether tests with nginx run: in CI they are not skipped, but fail, if it is not installed.
    public static var isExpected: Bool {
      path != nil || ProcessInfo.processInfo.environment["CI"] != nil
    }

    /// The path of the nginx executable; `nil` if it is not installed.
    public static let path = [
      ProcessInfo.processInfo.environment["NGINX"], "/usr/sbin/nginx", "/usr/bin/nginx",
      "/opt/homebrew/bin/nginx",
    ].compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The folder of its files, which a configuration names relatively.
    public let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let process = Process()

    /// Creates the folder; ``start(_:)`` starts the process.
    public init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Starts the process.
    ///
    /// - Parameter servers: The servers, as in the configuration's block `http`.
    public func start(_ servers: String) throws {
      let configuration = """
        daemon off;
        worker_processes 1;
        pid nginx.pid;
        events { worker_connections 1024; }
        http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          \(servers)
        }
        """
      let file = folder.appending(path: "nginx.conf")
      try Data(configuration.utf8).write(to: file)
      process.executableURL = URL(filePath: Self.path ?? "nginx")
      process.arguments = ["-p", folder.path, "-e", "error.log", "-c", file.path]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    /// Ends the process, and removes the folder.
    public func stop() async {
      if process.isRunning {
        // SIGKILL would leave the worker process behind.
        kill(process.processIdentifier, SIGTERM)
        _ = await process.end()
      }
      try? FileManager.default.removeItem(at: folder)
    }
  }
#endif
