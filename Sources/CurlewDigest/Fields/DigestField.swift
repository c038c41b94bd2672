import Curlew
public import Foundation
public import HTTPTypes

/// The digests of a body, as `Content-Digest` and `Repr-Digest` carry them (RFC 9530).
///
/// ```swift
/// let expected = DigestField("sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:")
/// ```
public struct DigestField: Sendable, Hashable {
  /// The digests.
  public let digests: [DigestAlgorithm: Data]

  /// Creates a field with these digests.
  public init(_ digests: [DigestAlgorithm: Data]) {
    self.digests = digests
  }

  /// Creates a field with the digests of data.
  public init(of data: Data, _ algorithms: Set<DigestAlgorithm> = [.sha256]) {
    digests = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, $0.hash.hash(data)) })
  }

  /// Parses a field's value: a dictionary of byte sequences (RFC 9651 section 3.2).
  ///
  /// Unknown and insecure algorithms are skipped, so the result may be empty. Returns `nil` if a known digest
  /// is not a byte sequence, or a member has no name.
  public init?(_ value: String) {
    var reader = FieldReader(value)
    var digests: [DigestAlgorithm: Data] = [:]
    reader.skipSpaces()
    while !reader.isAtEnd {
      let name = reader.text { !"=;,".utf8.contains($0) }
      guard !name.isEmpty else { return nil }
      if let algorithm = DigestAlgorithm(rawValue: name) {
        guard reader.take("="), let digest = reader.byteSequence() else { return nil }
        digests[algorithm] = digest
      }
      reader.skipItem()
      guard reader.take(",") else { break }
      reader.skipSpaces()
      // A trailing comma is malformed.
      if reader.isAtEnd { return nil }
    }
    self.digests = digests
  }
}

extension FieldReader {
  /// Skips to the next comma outside quotes.
  mutating func skipItem() {
    while let byte = next, byte != UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") { _ = quotedText() } else { skip() }
    }
  }

  /// Reads a byte sequence and the spaces after it; returns `nil` if it is missing or malformed.
  fileprivate mutating func byteSequence() -> Data? {
    guard take(":") else { return nil }
    let text = text { $0 != UInt8(ascii: ":") }
    guard take(":") else { return nil }
    skipSpaces()
    let digits = text.prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    // Padding may be missing, but must not be wrong (RFC 9651 section 4.2.7).
    guard isAtEnd || next == UInt8(ascii: ",") || next == UInt8(ascii: ";"),
      text.utf8.count == digits.utf8.count || text == digits + padding
    else { return nil }
    return Data(base64Encoded: digits + padding)
  }
}

extension DigestField: CustomStringConvertible {
  /// The field's value: ``init(_:)-(String)`` parses it.
  public var description: String {
    digests.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue)=:\($0.value.base64EncodedString()):" }.joined(separator: ", ")
  }
}

extension HTTPField.Name {
  /// The digests of a message's content (RFC 9530 section 2).
  public static let contentDigest = HTTPField.Name("Content-Digest")!
  /// The digests of the whole representation (RFC 9530 section 3).
  public static let reprDigest = HTTPField.Name("Repr-Digest")!
  static let wantContentDigest = HTTPField.Name("Want-Content-Digest")!
  static let wantReprDigest = HTTPField.Name("Want-Repr-Digest")!
}
