import TestSupport

#if os(macOS) || os(Linux)
  import Crypto
  import CurlewTesting
  import Foundation

  /// An nginx with HTTP/2 over TLS on loopback, which responds to all requests with `fine`.
  final class Nginx {
    let origin: String
    private let process: NginxProcess

    /// - Parameter settings: Additional settings in the server block.
    init(_ certificate: TestCertificate, settings: String = "") async throws {
      process = try NginxProcess()
      let port = freePort()
      origin = "https://localhost:\(port)"
      let folder = process.folder
      try Data(certificate.pem.utf8).write(to: folder.appending(path: "chain.pem"))
      try Data(certificate.key.pemRepresentation.utf8).write(to: folder.appending(path: "key.pem"))
      try process.start(
        """
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate chain.pem;
          ssl_certificate_key key.pem;
          \(settings)
          location / { return 200 "fine"; }
        }
        """)
    }

    func stop() async { await process.stop() }
  }
#endif
