public import Foundation

// https://developer.apple.com/documentation/cryptokit/sha256
public struct SHA256: Sendable {
  public static func hash(data: Data) -> SHA256Digest { SHA256Digest() }
}
public struct SHA256Digest: Sequence, Sendable {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
