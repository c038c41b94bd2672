import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A key that signs the session state that browsers store (HMAC with SHA-256, RFC 2104).
///
/// Several processes that serve the same pages need the same key, to take over each other's tabs.
public struct SigningKey: Sendable {
  /// The error for a secret that is too short to be secure.
  public struct WeakSecret: Error, CustomStringConvertible {
    /// A description of the problem and its fix.
    public let description =
      "The secret is shorter than 32 bytes; create a longer secret with `openssl rand -hex 32`."
  }

  /// The maximum length of a signed text, in bytes; the text and its signature are sent in a header
  /// field.
  private static let maximumLength = 4_096

  private let key: SymmetricKey

  private init(_ key: SymmetricKey) {
    self.key = key
  }

  /// Returns a new random key, which no other process has.
  public static func random() -> SigningKey { SigningKey(SymmetricKey(size: .bits256)) }

  /// Creates a key from a secret of at least 32 bytes, which must be random and stay secret.
  ///
  /// - Throws: ``WeakSecret`` for a shorter secret.
  public init(secret: String) throws(WeakSecret) {
    guard secret.utf8.count >= 32 else { throw WeakSecret() }
    key = SymmetricKey(data: SHA256.hash(data: Data(secret.utf8)))
  }

  /// Returns a text with its signature; `nil` if the text is too long.
  package func sign(_ text: String, for page: some LivePage) -> String? {
    guard text.utf8.count <= Self.maximumLength else { return nil }
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

  /// Returns the data to sign, which includes the page and its version, so that the value isn't
  /// valid for others.
  private static func signed(_ text: String, for page: some LivePage) -> Data {
    Data([page.path, page.version, text].map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
