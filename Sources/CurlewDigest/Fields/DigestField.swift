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
  /// Unknown and insecure algorithms are left out, and nothing may be left. Returns `nil` if the
  /// value is not a dictionary, or a digest that is known is not a byte sequence.
  public init?(_ value: String) {
    guard let members = DictionaryReader.members(of: value) else { return nil }
    var digests: [DigestAlgorithm: Data] = [:]
    for algorithm in DigestAlgorithm.allCases {
      switch members[algorithm.rawValue] {
      case .bytes(let bytes): digests[algorithm] = bytes
      case .other: return nil
      case nil: break
      }
    }
    self.digests = digests
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
