public import Curlew
import Foundation
import NIOSSL

extension TLSSettings {
  /// A client certificate with its private key, for servers that request a client certificate
  /// (mTLS).
  public struct Identity: Sendable, Hashable {
    let certificates: ServerTrust.Certificates
    let privateKey: PrivateKey

    /// Creates an identity from a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificates: The client's own certificate first, then the intermediate certificates up
    ///     to a root that the server trusts.
    ///   - privateKey: The key of the first certificate.
    /// - Throws: `CertificateError` when the key does not belong to the certificate.
    public init(
      certificates: ServerTrust.Certificates, privateKey: PrivateKey
    ) throws(CertificateError) {
      self.certificates = certificates
      self.privateKey = privateKey
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.trustRoots = .certificates([])
      configuration.certificateChain = certificates.sources
      configuration.privateKey = .privateKey(privateKey.key)
      guard (try? NIOSSLContext(configuration: configuration)) != nil else {
        throw CertificateError(
          source: privateKey.source, reason: "does not match the client's certificate")
      }
    }

    /// Reads a certificate and its key from PEM files, which may be the same file.
    ///
    /// - Throws: `CertificateError`, which names the file.
    public static func pem(
      certificates: String, privateKey: String, passphrase: String? = nil
    ) throws(CertificateError) -> Identity {
      try Identity(
        certificates: .pem(file: certificates),
        privateKey: .pem(file: privateKey, passphrase: passphrase))
    }
  }

  /// A private key (RSA, ECDSA or Ed25519).
  public struct PrivateKey: Sendable, Hashable {
    let key: NIOSSLPrivateKey
    /// The source of the key, for errors that are found later.
    let source: String

    /// Reads the first private key of a PEM file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - passphrase: The passphrase of an encrypted key.
    /// - Throws: `CertificateError`, which names the file.
    public static func pem(
      file path: String, passphrase: String? = nil
    ) throws(CertificateError) -> PrivateKey {
      try PrivateKey(pem: .file(path), passphrase)
    }

    /// Reads the first private key of a PEM text.
    ///
    /// - Parameters:
    ///   - text: The PEM text.
    ///   - passphrase: The passphrase of an encrypted key.
    /// - Throws: `CertificateError`.
    public static func pem(
      _ text: String, passphrase: String? = nil
    ) throws(CertificateError) -> PrivateKey {
      try PrivateKey(pem: .text(text), passphrase)
    }
  }
}

extension TLSSettings.PrivateKey {
  private init(pem source: CertificateSource, _ passphrase: String?) throws(CertificateError) {
    let data = try source.read()
    let text = String(decoding: data, as: UTF8.self)
    guard text.contains("PRIVATE KEY-----") else {
      throw source.invalid("contains no PEM private key")
    }
    // Always with a passphrase: otherwise, BoringSSL prompts for the passphrase of an encrypted key
    // at the terminal.
    let key = try? NIOSSLPrivateKey(bytes: Array(data), format: .pem) { tell in
      tell(Array((passphrase ?? "").utf8))
    }
    guard let key else {
      guard text.contains("ENCRYPTED") else {
        throw source.invalid("is malformed: its private key can't be read")
      }
      throw source.invalid(
        passphrase == nil
          ? "contains an encrypted private key: a passphrase is required"
          : "contains an encrypted private key, and the passphrase is wrong")
    }
    self.init(key: key, source: source.name)
  }
}

extension TLSSettings.PrivateKey: CustomStringConvertible, CustomReflectable {
  /// A text that does not contain the key.
  public var description: String { "PrivateKey" }
  /// A mirror that does not contain the key.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
