package import Crypto
package import Curlew
package import CurlewAsyncHTTPClient
package import Foundation
package import NIOSSL
import SwiftASN1
package import X509

/// A certificate made for a test, with its private key (P-256, because it is fast).
package struct TestCertificate: Sendable {
  package let certificate: Certificate
  package let key: P256.Signing.PrivateKey

  /// Makes an authority that signs its own certificate.
  package static func authority(_ name: String = "Test CA") throws -> TestCertificate {
    try TestCertificate(name, isAuthority: true)
  }

  /// Makes a certificate for `localhost` that nobody but its own key signs.
  package static func selfSigned() throws -> TestCertificate {
    try TestCertificate("self-signed", names: ["localhost"])
  }

  /// Makes a certificate that this authority signs.
  ///
  /// - Parameters:
  ///   - names: Names of hosts and IPv4 addresses.
  ///   - days: When it is valid, in days from now.
  ///   - key: A key of its own by default.
  package func issue(
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

  package var der: Data {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return Data(serializer.serializedBytes)
    }
  }

  package var pem: String { get throws { try certificate.serializeAsPEM().pemString } }

  /// As a client reads it.
  package var certificates: ServerTrust.Certificates { get throws { try .pem(pem) } }

  package var identity: TLSSettings.Identity {
    get throws {
      try TLSSettings.Identity(certificates: certificates, privateKey: .pem(key.pemRepresentation))
    }
  }

  /// Hashed here without what the library uses to read a key.
  package var pin: ServerTrust.Pin {
    get throws {
      let hash = Data(SHA256.hash(data: key.publicKey.derRepresentation))
      return try ServerTrust.Pin("sha256/" + hash.base64EncodedString())
    }
  }
}

extension TestCertificate {
  /// Returns what a server with this certificate needs.
  package func serverContext(
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
