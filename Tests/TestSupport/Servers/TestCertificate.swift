// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Crypto
public import Curlew
public import CurlewAsyncHTTPClient
public import Foundation
public import NIOSSL
import SwiftASN1
public import X509

/// A certificate created for a test, with its private key (P-256, because it is fast).
public struct TestCertificate: Sendable {
  public let certificate: Certificate
  public let key: P256.Signing.PrivateKey

  /// Creates an authority with a self-signed certificate.
  public static func authority(_ name: String = "Test CA") throws -> TestCertificate {
    try TestCertificate(name, isAuthority: true)
  }

  /// Creates a self-signed certificate for `localhost`.
  public static func selfSigned() throws -> TestCertificate {
    try TestCertificate("self-signed", names: ["localhost"])
  }

  /// Creates a certificate signed by this authority.
  ///
  /// - Parameters:
  ///   - names: Host names and IPv4 addresses.
  ///   - days: The validity, in days from now.
  ///   - key: The private key; a new key by default.
  public func issue(
    names: [String] = ["localhost"], days: Range<Double> = -1..<1,
    key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()
  ) throws -> TestCertificate {
    try TestCertificate("issued", names: names, days: days, key: key, issuer: self)
  }

  private init(
    _ name: String, names: [String] = [], days: Range<Double> = -1..<1,
    key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(), isAuthority: Bool = false,
    issuer: TestCertificate? = nil
  ) throws {
    let subject = try DistinguishedName { CommonName(name) }
    var extensions = Certificate.Extensions()
    if isAuthority {
      try extensions.append(
        Certificate.Extension(
          BasicConstraints.isCertificateAuthority(maxPathLength: nil), critical: true))
    } else {
      let names = SubjectAlternativeNames(names.map { Self.generalName($0) })
      try extensions.append(Certificate.Extension(names, critical: false))
    }
    self.key = key
    certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PublicKey(key.publicKey),
      notValidBefore: Date(timeIntervalSinceNow: days.lowerBound * 86_400),
      notValidAfter: Date(timeIntervalSinceNow: days.upperBound * 86_400),
      issuer: issuer?.certificate.subject ?? subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key))
  }

  private static func generalName(_ name: String) -> GeneralName {
    let bytes = name.split(separator: ".").compactMap { UInt8($0) }
    return bytes.count == 4
      ? .ipAddress(ASN1OctetString(contentBytes: bytes[...])) : .dnsName(name)
  }

  public var der: Data {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return Data(serializer.serializedBytes)
    }
  }

  public var pem: String { get throws { try certificate.serializeAsPEM().pemString } }

  /// The certificate for a client's trust settings.
  public var certificates: ServerTrust.Certificates { get throws { try .pem(pem) } }

  public var identity: TLSSettings.Identity {
    get throws {
      try TLSSettings.Identity(certificates: certificates, privateKey: .pem(key.pemRepresentation))
    }
  }

  /// The pin, computed independently of the library's parsing of keys.
  public var pin: ServerTrust.Pin {
    get throws {
      let hash = Data(SHA256.hash(data: key.publicKey.derRepresentation))
      return try ServerTrust.Pin("sha256/" + hash.base64EncodedString())
    }
  }
}

extension TestCertificate {
  /// Returns the TLS context of a server with this certificate.
  public func serverContext(
    protocols: [String], configure: (inout TLSConfiguration) throws -> Void = { _ in }
  ) throws -> NIOSSLContext {
    let own = try NIOSSLCertificate(bytes: Array(der), format: .der)
    let key = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(own)], privateKey: .privateKey(key))
    configuration.applicationProtocols = protocols
    try configure(&configuration)
    return try NIOSSLContext(configuration: configuration)
  }
}
