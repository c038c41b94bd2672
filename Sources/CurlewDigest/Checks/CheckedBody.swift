import Curlew
import Foundation

/// The expected digest of a body.
struct ExpectedDigest: Sendable, Hashable {
  /// The name of the header field.
  let field: String
  let algorithm: DigestAlgorithm
  let value: Data
}

extension ResponseBody {
  /// Returns this body with a check: reading throws at the end if a digest does not match.
  func checked(against digests: [ExpectedDigest]) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      var hashes = RunningDigests(Set(digests.map(\.algorithm)))
      return {
        guard let piece = try await pieces.next() else {
          for digest in digests where hashes.finished(digest.algorithm) != digest.value {
            throw Client.TransportFailure(
              .digest,
              reason: "the body does not match its \(digest.field) (\(digest.algorithm.rawValue))")
          }
          return nil
        }
        hashes.update(piece)
        return piece
      }
    }
  }
}

/// Incremental hashes of bytes.
struct RunningDigests {
  private var hashes: [DigestAlgorithm: RunningHash]

  init(_ algorithms: Set<DigestAlgorithm>) {
    hashes = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, RunningHash($0.hash)) })
  }

  mutating func update(_ data: Data) {
    for algorithm in hashes.keys { hashes[algorithm]?.update(data) }
  }

  func finished(_ algorithm: DigestAlgorithm) -> Data? { hashes[algorithm]?.finished() }

  var field: DigestField { DigestField(hashes.mapValues { $0.finished() }) }
}
