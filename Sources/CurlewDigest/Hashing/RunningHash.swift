import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The name of a hash function.
enum HashName: Sendable {
  /// Broken for signatures; Digest authentication still uses it.
  case md5
  case sha256
  case sha512

  /// Returns the hash of complete data.
  func hash(_ data: Data) -> Data {
    var hash = RunningHash(self)
    hash.update(data)
    return hash.finished()
  }
}

/// An incremental hash of bytes.
struct RunningHash {
  private var function: any HashFunction

  init(_ name: HashName) {
    switch name {
    case .md5: function = Insecure.MD5()
    case .sha256: function = SHA256()
    case .sha512: function = SHA512()
    }
  }

  mutating func update(_ data: Data) { function.update(data: data) }

  /// Returns the hash of the bytes so far.
  func finished() -> Data { function.finalize().withUnsafeBytes { Data($0) } }
}
