import Curlew
import Foundation
import GRDB

/// Sizes, hashes and checksums for the rows of a cache's tables.
enum CacheRow {
  /// The maximum size of a body in the entry's row, in bytes.
  static let inlineSize = 8 << 10
  /// The size of a chunk of a larger body, in bytes.
  static let chunkSize = 64 << 10

  /// Returns the hash by which a key's rows are found.
  static func hash(_ key: CacheKey) -> Int64 {
    checksum(of: Data(key.url.utf8), seed: UInt64(bitPattern: hash(account: key.account)))
  }

  /// Returns the time of use in microseconds since 1970.
  static func time(_ date: Date) -> Int64 {
    let time = date.timeIntervalSince1970 * 1e6
    return time.isNaN ? 0 : Int64(min(max(time, -9e18), 9e18))
  }

  static func hash(account: String?) -> Int64 {
    account.map { checksum(of: Data($0.utf8), seed: 1) } ?? 0
  }

  /// Returns the checksum of a head and the body's size.
  static func headSum(_ head: Data, bodySize: Int64) -> Int64 {
    checksum(of: head, seed: UInt64(bitPattern: bodySize))
  }

  /// Returns the checksum of a part of a body, which depends on the body's id and the part's index.
  static func bodySum(_ data: Data, of id: UUID, chunk: Int) -> Int64 {
    let half = withUnsafeBytes(of: id.uuid) { $0.loadUnaligned(as: UInt64.self) }
    return checksum(of: data, seed: half.littleEndian &+ UInt64(chunk))
  }

  private static func checksum(of data: Data, seed: UInt64) -> Int64 {
    Int64(bitPattern: data.withUnsafeBytes { Checksum.of($0, seed: seed) })
  }
}

/// Values of possibly damaged rows: reading them never traps, regardless of their types.
extension Row {
  func number(_ index: Int) throws -> Int64 {
    guard case .int64(let number) = (self[index] as DatabaseValue).storage else {
      throw FileError.damaged("a number is missing")
    }
    return number
  }

  func data(_ index: Int) throws -> Data {
    guard case .blob(let data) = (self[index] as DatabaseValue).storage else {
      throw FileError.damaged("bytes are missing")
    }
    return data
  }
}
