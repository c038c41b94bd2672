public import Foundation

extension ServerTrust {
  /// A list of certificates (RFC 5280).
  public struct Certificates: Sendable, Hashable {
    /// The certificates in DER (X.690).
    public let list: [Data]

    private init(_ list: [Data?], of source: CertificateSource) throws(CertificateError) {
      var certificates: [Data] = []
      for certificate in list {
        guard let certificate, DERElement.publicKey(ofCertificate: certificate) != nil else {
          throw source.invalid(
            "is malformed: its certificate number \(certificates.count + 1) can't be read")
        }
        certificates.append(certificate)
      }
      self.list = certificates
    }

    /// Parses all certificates of a PEM file (RFC 7468), and ignores its other content.
    ///
    /// - Throws: ``CertificateError``, which names the file and the malformed certificate.
    public static func pem(file path: String) throws(CertificateError) -> Certificates {
      try Certificates(pem: .file(path))
    }

    /// Parses all certificates of a PEM text.
    ///
    /// - Throws: ``CertificateError``.
    public static func pem(_ text: String) throws(CertificateError) -> Certificates {
      try Certificates(pem: .text(text))
    }

    /// Parses a certificate in DER, such as the data of an app's `.cer` file.
    ///
    /// - Throws: ``CertificateError``.
    public static func der(_ data: Data) throws(CertificateError) -> Certificates {
      try Certificates([data], of: .data)
    }

    private init(pem source: CertificateSource) throws(CertificateError) {
      let text = String(decoding: try source.read(), as: UTF8.self)
      let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
      guard !blocks.isEmpty else { throw source.invalid("contains no PEM certificate") }
      try self.init(
        blocks.map { block in
          block.range(of: "-----END CERTIFICATE-----").flatMap { end in
            Data(
              base64Encoded: String(block[..<end.lowerBound]), options: .ignoreUnknownCharacters)
          }
        }, of: source)
    }
  }
}
