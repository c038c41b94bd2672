import Foundation
import NIOSSL

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

extension TLSSettings {
  /// The SHA-256 hash of a server's public key, as `sha256/` and Base64 (RFC 7469 section 2.4).
  ///
  /// It is the hash of the key in the server's own certificate (its SubjectPublicKeyInfo), not of an
  /// issuer's: it stays the same when the certificate is renewed with the same key. Where a
  /// server's pin is not at hand, pin anything: the error says what the server has.
  public struct Pin: Sendable, Hashable, CustomStringConvertible {
    private static let prefix = "sha256/"
    private let hash: Data

    /// Reads a pin: `sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`.
    ///
    /// From a variable: a text that stands in the program itself is a literal, with or without `try`,
    /// and a malformed literal ends the process.
    ///
    /// - Throws: ``ValidationError``, which quotes the text.
    public init(_ text: String) throws(ValidationError) {
      guard text.hasPrefix(Self.prefix),
        let hash = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
        hash.count == SHA256.byteCount
      else {
        throw ValidationError(
          source: "\"\(text)\"",
          reason: "is not a pin: sha256/ and 32 bytes in Base64 are expected")
      }
      self.hash = hash
    }

    init(of certificate: NIOSSLCertificate) throws {
      hash = Data(SHA256.hash(data: try certificate.extractPublicKey().toSPKIBytes()))
    }

    /// The pin as it is written: `sha256/` and Base64.
    public var description: String { Self.prefix + hash.base64EncodedString() }
  }
}

extension TLSSettings.Pin: ExpressibleByStringLiteral {
  /// Creates a pin from a literal in the program.
  ///
  /// - Precondition: It is well-formed. Use ``init(_:)`` for a text that came from outside.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
