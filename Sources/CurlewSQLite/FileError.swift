import GRDB

/// An error using a cache's file, classified by the required reaction.
enum FileError: Error {
  /// A transient conflict with another process, which needs no reaction.
  case transient
  /// The file can't be written or read, for example because the disk is full.
  case unusable(String)
  /// The content of the file is damaged.
  case damaged(String)

  init(_ error: any Error) {
    switch error {
    case let error as FileError: self = error
    case is CancellationError: self = .transient
    case let error as DatabaseError: self.init(error)
    default: self = .damaged("\(error)")
    }
  }

  private init(_ error: DatabaseError) {
    // Without the statement's text.
    let reason = error.message ?? "\(error.resultCode)"
    switch (error.resultCode, error.extendedResultCode) {
    case (_, .SQLITE_IOERR_SHORT_READ), (_, .SQLITE_IOERR_CORRUPTFS): self = .damaged(reason)
    case (.SQLITE_BUSY, _), (.SQLITE_LOCKED, _), (.SQLITE_INTERRUPT, _), (.SQLITE_ABORT, _),
      (.SQLITE_PROTOCOL, _), (.SQLITE_SCHEMA, _):
      self = .transient
    case (.SQLITE_FULL, _), (.SQLITE_IOERR, _), (.SQLITE_READONLY, _), (.SQLITE_CANTOPEN, _),
      (.SQLITE_PERM, _), (.SQLITE_AUTH, _), (.SQLITE_NOMEM, _), (.SQLITE_NOLFS, _):
      self = .unusable(reason)
    // Other errors, such as a missing table or duplicate ids, mean damage.
    default: self = .damaged(reason)
    }
  }

  /// The text for a developer's log.
  var reason: String {
    switch self {
    case .transient: "it is in use"
    case .unusable(let reason), .damaged(let reason): reason
    }
  }
}
