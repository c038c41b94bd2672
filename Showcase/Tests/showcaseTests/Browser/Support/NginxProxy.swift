import Foundation
import ShowcaseTestSupport

/// An nginx with TLS in front of a port on loopback: with HTTP/2, or with HTTP/1.1 and buffers.
final class NginxProxy {
  /// The path of the nginx executable; `nil` if it is not installed.
  static let path = [
    ProcessInfo.processInfo.environment["NGINX"], "/usr/sbin/nginx", "/usr/bin/nginx",
    "/opt/homebrew/bin/nginx",
  ].compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }

  let origin: String
  private let folder: URL
  private let process = Process()

  /// - Parameter buffers: Whether nginx holds back a response until it ends or fills a buffer.
  init(to server: Int, buffers: Bool) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let port = freePort()
    origin = "https://localhost:\(port)"
    let certificate = folder.appending(path: "certificate.pem").path
    _ = try await Process.run(
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes",
      ]
        + ["-subj", "/CN=localhost", "-keyout", certificate + ".key", "-out", certificate])
    let file = folder.appending(path: "nginx.conf")
    try Data(Self.configuration(port, server, buffers: buffers).utf8).write(to: file)
    process.executableURL = URL(filePath: Self.path ?? "nginx")
    process.arguments = ["-p", folder.path, "-e", "error.log", "-c", file.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func stop() async {
    if process.isRunning {
      // SIGKILL would leave the worker process behind.
      kill(process.processIdentifier, SIGTERM)
      _ = await process.end()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  private static func configuration(_ port: Int, _ server: Int, buffers: Bool) -> String {
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
        listen 127.0.0.1:\(port) ssl\(buffers ? "" : " http2");
        ssl_certificate certificate.pem;
        ssl_certificate_key certificate.pem.key;
        location / {
          proxy_pass http://127.0.0.1:\(server);
          proxy_http_version 1.1;
          proxy_buffering \(buffers ? "on" : "off");
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
        }
      }
    }
    """
  }
}
