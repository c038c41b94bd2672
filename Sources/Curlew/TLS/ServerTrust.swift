public import Foundation

/// The servers that a client trusts on https connections, by their certificates' issuers and by their keys.
///
/// ```swift
/// var trust = ServerTrust()
/// trust.pins = ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256/…"]
/// let acme = Client(baseURL: "https://api.acme.example") {
///   $0.transport = .urlSession(trust: trust)
/// }
/// ```
///
/// The settings apply to every server that a client connects to, including the targets of redirects. A
/// connection to a rejected server throws a ``Client/TransportFailure`` of the kind `untrusted`, with the
/// reason.
public struct ServerTrust: Sendable, Hashable {
  /// The root certificates that a client trusts.
  public enum Roots: Sendable, Hashable {
    /// The system's roots.
    case system
    /// The system's roots and additional roots, such as the roots of a company's own servers.
    case systemAnd(Certificates)
    /// Only these roots, without the system's.
    case only(Certificates)
  }

  /// The trusted root certificates: by default the system's.
  ///
  /// On Apple's systems, App Transport Security also evaluates a server's certificate: it trusts the
  /// system's roots and the roots that a user or an administrator has installed. An app with other roots
  /// needs an exception for their servers in its `Info.plist` (`NSExceptionDomains`).
  public var roots: Roots = .system

  /// The accepted public keys: a server must have one of them, in addition to all other checks.
  ///
  /// Empty by default: any key is accepted. With pins, plain http is refused. Specify at least two pins,
  /// the server's key and its successor; otherwise no client can connect after the key is lost.
  public var pins: Set<Pin> = []

  /// Creates the default settings: the system's roots, and no pins.
  public init() {}
}

extension ServerTrust.Roots {
  /// The roots besides the system's roots.
  var certificates: ServerTrust.Certificates? {
    switch self {
    case .system: nil
    case .systemAnd(let certificates), .only(let certificates): certificates
    }
  }

  /// Whether the system's roots are not trusted.
  var replaceSystemRoots: Bool { if case .only = self { true } else { false } }
}

extension ServerTrust {
  /// Returns the reason why a connection is refused; `nil` if it is accepted.
  ///
  /// It only checks the pins: the certificate's issuer, name and dates have been evaluated before.
  ///
  /// - Parameters:
  ///   - certificate: The server's own certificate, in DER; `nil` if the server sent no certificate.
  ///   - sha256: A closure that returns the SHA-256 hash of bytes.
  public func rejection(
    of certificate: Data?, sha256: (Data) -> Data
  ) -> Client.TransportFailure? {
    guard !pins.isEmpty else { return nil }
    guard let certificate else {
      return .untrusted("the server sent no certificate to compare with the pins")
    }
    guard let key = DERElement.publicKey(ofCertificate: certificate) else {
      return .untrusted("the server's certificate has no public key to compare with the pins")
    }
    let pin = Pin(hash: sha256(key))
    guard !pins.contains(pin) else { return nil }
    let expected = pins.map(\.description).sorted().joined(separator: " or ")
    return .untrusted(
      "the server's public key matches none of the pins (got \(pin), expected \(expected))")
  }

  /// The reason why a connection without TLS is refused; `nil` if it is accepted.
  public var rejectionOfPlainHTTP: Client.TransportFailure? {
    pins.isEmpty
      ? nil : .untrusted("pins require https, but the connection is not encrypted (http)")
  }
}

extension Client.TransportFailure {
  static func untrusted(_ reason: String) -> Self { Self(.untrusted, reason: reason) }
}

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
