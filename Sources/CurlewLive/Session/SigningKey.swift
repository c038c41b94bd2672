package import Foundation

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
  /// The closure that returns the present time.
  package var date: @Sendable () -> Date = { .now }

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

  /// The number of hours since 1970.
  private var hour: Int { Int(date().timeIntervalSince1970 / 3_600) }

  /// Returns a text with its signature and the hour in which it expires; `nil` if the text is too long.
  ///
  /// - Parameters:
  ///   - visitor: The text that identifies the visitor.
  ///   - time: The time after which the text expires.
  package func sign(
    _ text: String, for page: some LivePage, by visitor: String = "",
    time: Duration = .seconds(86_400)
  ) -> String? {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    // Whole hours, so that the value rarely changes while the text doesn't.
    let end = hour + Int(max(1, time.components.seconds / 3_600))
    let code = HMAC<SHA256>.authenticationCode(
      for: Self.signed(text, for: page, by: visitor, end), using: key)
    return "\(Data(code).base64EncodedString()).\(Data(text.utf8).base64EncodedString()).\(end)"
  }

  /// Returns the text of a value that this key has signed for a page, its version and a visitor, and that has not
  /// expired; `nil` for any other value.
  func text(of value: String, for page: some LivePage, by visitor: String) -> String? {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let end = Int(parts[2]), end >= hour,
      let code = Data(base64Encoded: String(parts[0])),
      let text = Data(base64Encoded: String(parts[1])).flatMap({ String(data: $0, encoding: .utf8) }
      ),
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Self.signed(text, for: page, by: visitor, end), using: key)
    else { return nil }
    return text
  }

  /// Returns the data to sign, which includes the page, its version and the visitor, so that the value isn't
  /// valid for others.
  private static func signed(
    _ text: String, for page: some LivePage, by visitor: String, _ end: Int
  ) -> Data {
    let parts = [page.path, page.version, visitor, "\(end)", text]
    return Data(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }

  /// Returns the authentication code of bytes.
  func code(for bytes: Data) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
  }

  /// Returns a short hash of a visitor's id.
  static func hash(of visitor: String) -> String {
    digits(of: SHA256.hash(data: Data(visitor.utf8)).prefix(8))
  }

  /// Returns the hexadecimal digits of bytes.
  static func digits(of bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
