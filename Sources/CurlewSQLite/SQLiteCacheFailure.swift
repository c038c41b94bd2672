public import Foundation

/// Why a cache's file could not be used as it was, and what was done.
///
/// No request fails for it: responses that can't be read are requested again.
public struct SQLiteCacheFailure: Error, Sendable, Hashable {
  /// The kind of a failure.
  public enum Kind: Sendable, Hashable {
    /// The file is damaged or of another version of this library, or entries could not be removed from it;
    /// it was deleted, and a new one is begun.
    case discarded
    /// The file can't be opened, for example in a folder that can't be written to, or because it is not
    /// the file of a cache; it is left as it is, and nothing is stored.
    case unusable
    /// Something can't be written, for example because the disk is full; it is not stored.
    case unwritable
  }

  /// The kind.
  public let kind: Kind
  /// The cache's file.
  public let file: URL
  /// What is wrong, for a developer's log.
  public let reason: String
}

extension SQLiteCacheFailure: CustomStringConvertible {
  /// A sentence for a developer's log.
  public var description: String {
    let (state, result) =
      switch kind {
      case .discarded: ("is of no use", "it was deleted, and a new one is begun")
      case .unusable: ("can't be used", "nothing is stored")
      case .unwritable: ("can't be written to", "what does not fit is not stored")
      }
    return "The cache's file \(file.path) \(state) (\(reason)); \(result)."
  }
}
