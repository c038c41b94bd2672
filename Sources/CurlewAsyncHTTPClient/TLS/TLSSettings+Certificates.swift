import Foundation
import NIOSSL

extension TLSSettings {
  /// One or more certificates (RFC 5280).
  public struct Certificates: Sendable, Hashable {
    let list: [NIOSSLCertificate]

    /// Reads all certificates of a PEM file (RFC 7468), and skips its other content.
    ///
    /// - Throws: ``ValidationError``, which names the file and the malformed certificate.
    public static func pem(file path: String) throws(ValidationError) -> Certificates {
      try Certificates(pem: .file(path))
    }

    /// Reads all certificates of a PEM text.
    ///
    /// - Throws: ``ValidationError``.
    public static func pem(_ text: String) throws(ValidationError) -> Certificates {
      try Certificates(pem: .text(text))
    }

    private init(pem source: TLSSource) throws(ValidationError) {
      let text = String(decoding: try source.read(), as: UTF8.self)
      var list: [NIOSSLCertificate] = []
      // One by one, to report which one is malformed.
      for block in text.components(separatedBy: Self.begin).dropFirst() {
        guard let end = block.range(of: Self.end),
          let certificate = try? NIOSSLCertificate(
            bytes: Array((Self.begin + block[..<end.upperBound] + "\n").utf8), format: .pem)
        else {
          throw source.invalid(
            "is malformed: its certificate number \(list.count + 1) can't be read")
        }
        list.append(certificate)
      }
      guard !list.isEmpty else { throw source.invalid("holds no certificate in PEM") }
      self.list = list
    }

    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"
  }
}
