import Curlew
public import Foundation

extension DigestField {
  /// The reasons why a file could not be checked, or does not match.
  public enum FileError: Error, Sendable, Hashable {
    /// The file does not have this digest.
    case mismatch(DigestAlgorithm)
    /// There is no digest of a supported algorithm to compare.
    case noDigest
    /// The file can't be read, with the system's description of the failure.
    case unreadable(String)
    /// The task was cancelled.
    case cancelled
  }

  /// The size of a piece of a file, in bytes.
  private static let pieceSize = 128 * 1024

  /// Creates a field with the digests of a file, which is read in pieces.
  @concurrent
  public init(
    of file: URL, _ algorithms: Set<DigestAlgorithm> = [.sha256]
  ) async throws(FileError) {
    var digests = RunningDigests(algorithms)
    do {
      let handle = try FileHandle(forReadingFrom: file)
      while let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
        guard !Task.isCancelled else { throw FileError.cancelled }
        digests.update(piece)
      }
    } catch {
      throw (error as? FileError) ?? .unreadable("\(FileSystemError(error, file.path))")
    }
    self = digests.field
  }

  /// Reads a file in pieces and compares its digests with these, for example with the `Repr-Digest`
  /// of any response of a resumed download.
  ///
  /// - Throws: ``FileError``.
  @concurrent
  public func check(file: URL) async throws(FileError) {
    guard !digests.isEmpty else { throw .noDigest }
    let found = try await DigestField(of: file, Set(digests.keys))
    for (algorithm, digest) in digests where found.digests[algorithm] != digest {
      throw .mismatch(algorithm)
    }
  }
}

extension DigestField.FileError: CustomStringConvertible {
  /// A description of the error.
  public var description: String {
    switch self {
    case .mismatch(let algorithm): "the file does not match its digest (\(algorithm.rawValue))"
    case .noDigest: "there is no digest of a supported algorithm"
    case .unreadable(let reason): reason
    case .cancelled: "cancelled"
    }
  }
}
