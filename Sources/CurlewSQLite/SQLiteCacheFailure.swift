public import Foundation

/// The reason why a cache's file could not be used, and its consequence.
///
/// Requests don't fail because of it: unreadable responses are requested again.
public struct SQLiteCacheFailure: Error, Sendable, Hashable {
  /// The kind of a failure.
  public enum Kind: Sendable, Hashable {
    /// The file is damaged or from another version of this library, or entries could not be removed from it.
    ///
    /// It was deleted, and a new file is created.
    case discarded
    /// The file can't be opened, for example because its folder is read-only or it is not a cache's file.
    ///
    /// It is left unchanged, and nothing is stored.
    case unusable
    /// A response can't be written, for example because the disk is full.
    ///
    /// It is not stored.
    case unwritable
  }

  /// The kind.
  public let kind: Kind
  /// The cache's file.
  public let file: URL
  /// The reason, for a developer's log.
  public let reason: String
}

extension SQLiteCacheFailure: CustomStringConvertible {
  /// A sentence for a developer's log.
  public var description: String {
    let (state, result) =
      switch kind {
      case .discarded: ("can't be used", "it was deleted and replaced by a new file")
      case .unusable: ("can't be opened", "responses are not stored")
      case .unwritable: ("can't be written to", "the response was not stored")
      }
    return "The cache's file \(file.path) \(state) (\(reason)); \(result)."
  }
}
