import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A hash of bytes that come in pieces.
protocol RunningHash {
  /// Adds bytes.
  mutating func update(_ data: Data)
  /// Returns the hash of the bytes so far.
  func finished() -> Data
}

/// A function that hashes bytes.
enum HashName: Sendable {
  /// Broken for signatures; Digest authentication still uses it.
  case md5
  case sha256
  case sha512

  /// Starts a hash.
  func makeHash() -> any RunningHash {
    switch self {
    case .md5: CryptoHash<Insecure.MD5>()
    case .sha256: CryptoHash<SHA256>()
    case .sha512: CryptoHash<SHA512>()
    }
  }

  /// Returns the hash of complete data.
  func hash(_ data: Data) -> Data {
    var hash = makeHash()
    hash.update(data)
    return hash.finished()
  }
}

private struct CryptoHash<Function: HashFunction>: RunningHash {
  private var function = Function()

  mutating func update(_ data: Data) { function.update(data: data) }

  func finished() -> Data { Data(function.finalize()) }
}
