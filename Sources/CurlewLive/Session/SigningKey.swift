import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A key that signs what browsers keep of their sessions (HMAC with SHA-256, RFC 2104).
///
/// Several processes that serve the same pages need the same key, to take over each other's tabs.
public struct SigningKey: Sendable {
  /// A secret that is too short to protect anything.
  public struct WeakSecret: Error, CustomStringConvertible {
    /// What was wrong, and what would be right.
    public let description =
      "The secret is shorter than 32 bytes; create a longer secret with `openssl rand -hex 32`."
  }

  /// The longest text that is kept, in bytes; together with its signature it is sent in a header
  /// field.
  private static let longest = 4_096

  private let key: SymmetricKey

  private init(_ key: SymmetricKey) {
    self.key = key
  }

  /// Returns a new key, which no other process has.
  public static func random() -> SigningKey { SigningKey(SymmetricKey(size: .bits256)) }

  /// Creates a key from a secret of at least 32 bytes, which must be random and stay secret.
  ///
  /// - Throws: ``WeakSecret`` for a shorter one.
  public init(secret: String) throws(WeakSecret) {
    guard secret.utf8.count >= 32 else { throw WeakSecret() }
    key = SymmetricKey(data: SHA256.hash(data: Data(secret.utf8)))
  }

  /// Returns a text with its signature; `nil` for one that is too long.
  package func sign(_ text: String, for page: some LivePage) -> String? {
    guard text.utf8.count <= Self.longest else { return nil }
    let code = HMAC<SHA256>.authenticationCode(for: Self.signed(text, for: page), using: key)
    return "\(Data(code).base64EncodedString()).\(Data(text.utf8).base64EncodedString())"
  }

  /// Returns the text of a value that this key has signed for a page and its version; `nil` for any
  /// other value.
  func text(of value: String, for page: some LivePage) -> String? {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let code = Data(base64Encoded: String(parts[0])),
      let text = Data(base64Encoded: String(parts[1])).flatMap({ String(data: $0, encoding: .utf8) }
      ),
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Self.signed(text, for: page), using: key)
    else { return nil }
    return text
  }

  /// What is signed: no value is good for another page or version.
  private static func signed(_ text: String, for page: some LivePage) -> Data {
    Data([page.path, page.version, text].map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
