public import Foundation

/// Why a cache's file could not be used as it was, and what was done.
///
/// No request fails for it: what can't be read is requested anew.
public struct SQLiteCacheProblem: Error, Sendable, Hashable {
  /// The kind of a problem.
  public enum Kind: Sendable, Hashable {
    /// The file is damaged, or is no cache; it was renamed, and a new one is begun.
    case damaged
    /// A newer version of this library wrote the file; it was renamed, and a new one is begun.
    case newer
    /// The file can't be opened, for example in a folder that can't be written to; nothing is stored.
    case unusable
    /// Something can't be written, for example because the disk is full; it is not stored.
    case unwritable
    /// Something could not be removed; the file was deleted, and a new one is begun.
    case discarded
  }

  /// The kind.
  public let kind: Kind
  /// The cache's file.
  public let file: URL
  /// What the file was renamed to; `nil` if it was not.
  public let copy: URL?
  /// What is wrong, for a developer's log.
  public let reason: String

  init(_ kind: Kind, _ path: String, copy: String? = nil, reason: String) {
    self.kind = kind
    file = URL(filePath: path, directoryHint: .notDirectory)
    self.copy = copy.map { URL(filePath: $0, directoryHint: .notDirectory) }
    self.reason = reason
  }
}

extension SQLiteCacheProblem: CustomStringConvertible {
  /// A sentence for a developer's log.
  public var description: String {
    let renamed = copy.map { "renamed to \($0.lastPathComponent)" } ?? "left alone"
    let (what, done) =
      switch kind {
      case .damaged: ("is damaged", "it was \(renamed), and a new one begun")
      case .newer: ("was written by a newer version", "it was \(renamed), and a new one begun")
      case .unusable: ("can't be used", "nothing is stored")
      case .unwritable: ("can't be written to", "what does not fit is not stored")
      case .discarded: ("can't be written to", "it was deleted, because entries had to be removed")
      }
    return "The cache's file \(file.path) \(what) (\(reason)); \(done)."
  }
}
