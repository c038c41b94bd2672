import TestSupport

#if os(macOS) || os(Linux)
  import Crypto
  import CurlewTesting
  import Foundation

  /// An nginx with HTTP/2 over TLS on loopback, which responds to all requests with `fine`.
  final class Nginx {
    /// The path of the nginx executable; `nil` if it is not installed.
    static let path = [
      ProcessInfo.processInfo.environment["NGINX"], "/usr/sbin/nginx", "/usr/bin/nginx",
      "/opt/homebrew/bin/nginx",
    ].compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }

    let origin: String
    private let folder: URL
    private let process = Process()

    /// - Parameter settings: Additional settings in the server block.
    init(_ certificate: TestCertificate, settings: String = "") async throws {
      folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let port = freePort()
      origin = "https://localhost:\(port)"
      try Data(certificate.pem.utf8).write(to: folder.appending(path: "chain.pem"))
      try Data(certificate.key.pemRepresentation.utf8).write(to: folder.appending(path: "key.pem"))
      let file = folder.appending(path: "nginx.conf")
      try Data(Self.configuration(port, settings).utf8).write(to: file)
      process.executableURL = URL(filePath: Self.path ?? "nginx")
      process.arguments = ["-p", folder.path, "-e", "error.log", "-c", file.path]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    private static func configuration(_ port: Int, _ settings: String) -> String {
      """
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
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate chain.pem;
          ssl_certificate_key key.pem;
          \(settings)
          location / { return 200 "fine"; }
        }
      }
      """
    }

    func stop() async {
      if process.isRunning {
        // SIGKILL would leave the worker process behind.
        kill(process.processIdentifier, SIGTERM)
        _ = await process.end()
      }
      try? FileManager.default.removeItem(at: folder)
    }
  }
#endif
