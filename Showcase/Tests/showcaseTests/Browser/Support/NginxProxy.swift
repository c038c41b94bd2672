import Foundation
import ShowcaseTestSupport

/// An nginx with TLS in front of a port on loopback: with HTTP/2, or with HTTP/1.1 and buffers.
final class NginxProxy {
  let origin: String
  private let process: NginxProcess

  /// - Parameter buffers: Whether nginx holds back a response until it ends or fills a buffer.
  init(to server: Int, buffers: Bool) async throws {
    process = try NginxProcess()
    let port = freePort()
    origin = "https://localhost:\(port)"
    let certificate = process.folder.appending(path: "certificate.pem").path
    _ = try await Process.run(
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes",
      ]
        + ["-subj", "/CN=localhost", "-keyout", certificate + ".key", "-out", certificate])
    try process.start(
      """
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
      """)
  }

  func stop() async { await process.stop() }
}
