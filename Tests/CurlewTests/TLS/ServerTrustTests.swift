import Foundation
import TestSupport
import Testing

@testable import Curlew

/// Server trust, independent of the transport.
@Suite(.timeLimit(.minutes(1)))
struct ServerTrustTests {
  private func rejection(
    of certificate: Data?, _ pins: Set<ServerTrust.Pin>
  ) -> Client.TransportFailure? {
    var trust = ServerTrust()
    trust.pins = pins
    return trust.rejection(of: certificate, sha256: sha256)
  }

  @Test(arguments: SampleCertificate.allCases)
  func `each kind of key has the pin that OpenSSL computes`(sample: SampleCertificate) throws {
    let pin = try ServerTrust.Pin(sample.pin)
    #expect(rejection(of: sample.der, [pin]) == nil)
    let other = try ServerTrust.Pin("sha256/" + sha256(Data()).base64EncodedString())
    #expect(rejection(of: sample.der, [other, pin]) == nil)
    let failure = try #require(rejection(of: sample.der, [other]))
    #expect(failure.kind == .untrusted)
    #expect(
      failure.reason
        == "the server's public key matches none of the pins (got \(pin), expected \(other))")
  }

  @Test func `a server without a key is refused only if there are pins`() throws {
    let pin = try ServerTrust.Pin(SampleCertificate.p256.pin)
    for certificate in [nil, Data(), Data([0x30, 0x80]), SampleCertificate.p256.der.dropLast()] {
      #expect(rejection(of: certificate, [pin])?.kind == .untrusted)
      #expect(rejection(of: certificate, []) == nil)
    }
    var trust = ServerTrust()
    #expect(trust.rejectionOfPlainHTTP == nil)
    trust.pins = [pin]
    #expect(trust.rejectionOfPlainHTTP?.kind == .untrusted)
  }

  @Test(arguments: SampleCertificate.allCases)
  func `a certificate that is cut or changed is read safely`(sample: SampleCertificate) throws {
    let der = sample.der
    let whole = try ServerTrust.Certificates.der(der)
    #expect(try whole == .pem(sample.pem))
    for length in 0..<der.count {
      #expect(throws: CertificateError.self) {
        try ServerTrust.Certificates.der(der.prefix(length))
      }
    }
    #expect(throws: CertificateError.self) { try ServerTrust.Certificates.der(der + [0]) }
    for index in 0..<min(der.count, 300) {
      for bit in 0..<8 {
        var changed = der
        changed[index] ^= 1 << bit
        let pin = try ServerTrust.Pin(sample.pin)
        _ = rejection(of: changed, [pin])
      }
    }
    let slice = (Data([1, 2, 3]) + der).dropFirst(3)
    #expect(try ServerTrust.Certificates.der(slice) == whole)
  }

  @Test func `malformed data is named`() {
    let error = #expect(throws: CertificateError.self) {
      try ServerTrust.Certificates.der(Data("no".utf8))
    }
    #expect(
      error?.description == "the data is malformed: its certificate number 1 can't be read.")
  }

  @Test func `roots tell which certificates there are and whether they are alone`() throws {
    let certificates = try ServerTrust.Certificates.der(SampleCertificate.p384.der)
    let all: [ServerTrust.Roots] = [.system, .systemAnd(certificates), .only(certificates)]
    #expect(all.map(\.certificates) == [nil, certificates, certificates])
    #expect(all.map(\.replaceSystemRoots) == [false, false, true])
  }

  @Test
  func `pin is read and written`() throws {
    let text = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    let pin = try ServerTrust.Pin(text)
    #expect(pin.description == text)
    #expect(pin == "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
  }

  @Test(arguments: [
    "", "sha256/", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha1/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5N=",
    "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "sha256/not Base64 at all",
  ])
  func `malformed pin is quoted`(text: String) {
    let error = #expect(throws: CertificateError.self) { _ = try ServerTrust.Pin(text) }
    #expect(
      error?.localizedDescription
        == "\"\(text)\" is not a pin: sha256/ and 32 bytes in Base64 are expected.")
  }

  @Test
  func `malformed pin in the program stops it`() async {
    await #expect(processExitsWith: .failure) {
      let pin: ServerTrust.Pin = "sha256/none"
      print(pin)
    }
  }
}
