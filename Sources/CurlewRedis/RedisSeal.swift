import CurlewFleet
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Encrypts values (AES-GCM) and replaces names by their HMAC, so that Redis stores nothing in the clear.
struct RedisSeal: Sendable {
  private let values: SymmetricKey
  private let names: SymmetricKey
  private let prefix: String

  init(secret: String, prefix: String = "") throws(FleetError) {
    guard secret.utf8.count >= 32 else {
      throw .unsupported(
        "The secret is shorter than 32 bytes; create a longer one with `openssl rand -hex 32`.")
    }
    func key(_ purpose: String) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)), info: Data(purpose.utf8),
        outputByteCount: 32)
    }
    (values, names, self.prefix) = (key("values"), key("names"), prefix)
  }

  func name(_ kind: String, _ key: String) -> String {
    // Keys that are equal in Swift may have different bytes.
    let text = "\(kind) \(key)".precomposedStringWithCanonicalMapping
    let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: names)
    return "\(prefix)\(kind):\(Data(code).base64EncodedString())"
  }

  /// Returns encrypted bytes, which can be read under the same name only.
  func seal(_ bytes: [UInt8], _ name: String) throws(FleetError) -> [UInt8] {
    guard
      let box = try? AES.GCM.seal(bytes, using: values, authenticating: Data(name.utf8)).combined
    else { throw .malformed("A value can't be encrypted.") }
    return Array(box)
  }

  func open(_ bytes: [UInt8], _ name: String) throws(FleetError) -> [UInt8] {
    guard let box = try? AES.GCM.SealedBox(combined: bytes),
      let open = try? AES.GCM.open(box, using: values, authenticating: Data(name.utf8))
    else { throw .malformed("A value in Redis was encrypted with another secret.") }
    return Array(open)
  }
}
