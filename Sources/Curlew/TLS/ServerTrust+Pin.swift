import Foundation

extension ServerTrust {
  /// The SHA-256 hash of a server's public key, as `sha256/` and Base64 (RFC 7469 section 2.4).
  ///
  /// The key is in the server's own certificate (its SubjectPublicKeyInfo), not in an issuer's. The hash
  /// stays the same when the certificate is renewed with the same key. To find a server's pin, connect
  /// with any other pin: the error contains the server's pin.
  public struct Pin: Sendable, Hashable, CustomStringConvertible {
    private static let prefix = "sha256/"
    private let hash: Data

    /// Parses a pin: `sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`.
    ///
    /// Pass a variable. With a string literal as the argument, Swift calls ``init(stringLiteral:)``
    /// instead, even after `try`, and a malformed literal stops the process.
    ///
    /// - Throws: ``CertificateError``, which quotes the text.
    public init(_ text: String) throws(CertificateError) {
      guard text.hasPrefix(Self.prefix),
        let hash = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))), hash.count == 32
      else {
        throw CertificateError(
          source: "\"\(text)\"",
          reason: "is not a pin: sha256/ and 32 bytes in Base64 are expected")
      }
      self.hash = hash
    }

    init(hash: Data) { self.hash = hash }

    /// The pin's text: `sha256/` and Base64.
    public var description: String { Self.prefix + hash.base64EncodedString() }
  }
}

extension ServerTrust.Pin: ExpressibleByStringLiteral {
  /// Creates a pin from a string literal.
  ///
  /// - Precondition: The literal is well-formed. For a text from outside the program, use ``init(_:)``.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
