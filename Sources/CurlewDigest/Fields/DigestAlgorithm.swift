/// A hash algorithm of digest fields (RFC 9530 section 5).
///
/// The other registered algorithms are insecure and ignored.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// SHA-256.
  case sha256 = "sha-256"
  /// SHA-512.
  case sha512 = "sha-512"

  var hash: HashName {
    switch self {
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}
