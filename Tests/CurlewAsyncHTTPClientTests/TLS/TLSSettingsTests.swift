import Crypto
import Curlew
import CurlewAsyncHTTPClient
import Foundation
import TestSupport
import Testing

@Suite("TLS settings from files and texts", .timeLimit(.minutes(1)))
struct TLSSettingsTests {
  let one: TestCertificate
  let other: TestCertificate
  let folder: URL

  init() throws {
    one = try .authority("One")
    other = try .authority("Other")
    folder = FileManager.default.temporaryDirectory.appending(path: "curlew-tls-\(UUID())")
  }

  /// Writes a file that exists while the test runs.
  private func withFile(_ data: Data, _ test: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file.pem")
    try data.write(to: file)
    try test(file.path())
  }

  private func expectInvalid(
    _ source: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ make: () throws -> Void
  ) {
    let error = #expect(throws: CertificateError.self, sourceLocation: sourceLocation) {
      try make()
    }
    #expect(error?.description == "\(source) \(reason).", sourceLocation: sourceLocation)
    #expect(error?.localizedDescription == error?.description, sourceLocation: sourceLocation)
  }

  @Test
  func `all forms give the same certificates`() throws {
    let text = try one.pem + "\n# A remark.\n" + one.key.pemRepresentation + "\n" + other.pem
    let (both, single) = (try ServerTrust.Certificates.pem(text), try one.certificates)
    let windows = try ServerTrust.Certificates.pem(text.replacing("\n", with: "\r\n"))
    #expect(both != single)
    #expect(both == windows)
    try withFile(Data(text.utf8)) { path in
      let read = try ServerTrust.Certificates.pem(file: path)
      #expect(read == both)
    }
  }

  @Test
  func `missing file is named`() throws {
    let path = folder.path()
    expectInvalid(path, "does not exist") { _ = try ServerTrust.Certificates.pem(file: path) }
    expectInvalid(path, "does not exist") { _ = try TLSSettings.PrivateKey.pem(file: path) }
    expectInvalid(path, "does not exist") {
      _ = try TLSSettings.Identity.pem(certificates: path, privateKey: path)
    }
  }

  @Test
  func `folder and empty file are no certificates`() throws {
    let temporary = FileManager.default.temporaryDirectory.path()
    expectInvalid(temporary, "can't be read") {
      _ = try ServerTrust.Certificates.pem(file: temporary)
    }
    try withFile(Data()) { path in
      expectInvalid(path, "is empty") { _ = try ServerTrust.Certificates.pem(file: path) }
      expectInvalid(path, "is empty") { _ = try TLSSettings.PrivateKey.pem(file: path) }
    }
    expectInvalid("the text", "is empty") { _ = try ServerTrust.Certificates.pem("") }
  }

  @Test
  func `malformed certificate is counted`() throws {
    let cut = try one.pem + "\n" + other.pem.prefix(100)
    expectInvalid("the text", "is malformed: its certificate number 2 can't be read") {
      _ = try ServerTrust.Certificates.pem(cut)
    }
    let wrong = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    try withFile(Data((wrong + one.pem).utf8)) { path in
      expectInvalid(path, "is malformed: its certificate number 1 can't be read") {
        _ = try ServerTrust.Certificates.pem(file: path)
      }
    }
    expectInvalid("the text", "contains no PEM certificate") {
      _ = try ServerTrust.Certificates.pem(one.key.pemRepresentation)
    }
  }

  @Test
  func `identity is read from one file or two`() throws {
    let key = one.key.pemRepresentation
    try withFile(Data((one.pem + "\n" + key).utf8)) { path in
      let identity = try TLSSettings.Identity.pem(certificates: path, privateKey: path)
      let again = try TLSSettings.Identity.pem(certificates: path, privateKey: path)
      #expect(identity == again)
      #expect(!String(reflecting: identity).contains("NIOSSLPrivateKey"))
    }
  }

  @Test
  func `key of another certificate is refused`() throws {
    expectInvalid("the text", "does not match the client's certificate") {
      _ = try TLSSettings.Identity(
        certificates: one.certificates, privateKey: .pem(other.key.pemRepresentation))
    }
    try withFile(Data((one.pem + "\n" + other.key.pemRepresentation).utf8)) { path in
      expectInvalid(path, "does not match the client's certificate") {
        _ = try TLSSettings.Identity.pem(certificates: path, privateKey: path)
      }
    }
  }

  @Test
  func `malformed key is refused`() throws {
    expectInvalid("the text", "contains no PEM private key") {
      _ = try TLSSettings.PrivateKey.pem(one.pem)
    }
    expectInvalid("the text", "is malformed: its private key can't be read") {
      _ = try TLSSettings.PrivateKey.pem(String(one.key.pemRepresentation.prefix(60)))
    }
  }

  @Test
  func `encrypted key needs its passphrase`() throws {
    let certificate = try ServerTrust.Certificates.pem(Self.encrypted)
    let key = try TLSSettings.PrivateKey.pem(Self.encrypted, passphrase: "open sesame")
    _ = try TLSSettings.Identity(certificates: certificate, privateKey: key)
    expectInvalid("the text", "contains an encrypted private key: a passphrase is required") {
      _ = try TLSSettings.PrivateKey.pem(Self.encrypted)
    }
    expectInvalid(
      "the text", "contains an encrypted private key, and the passphrase is wrong"
    ) {
      _ = try TLSSettings.PrivateKey.pem(Self.encrypted, passphrase: "wrong")
    }
  }
}
