import GRDB

/// What an error means for a cache's file.
enum Trouble {
  /// Others were faster, or took too long.
  case passing
  /// The file can't be written or read, for example because the disk is full.
  case unwritable(String)
  /// What is in the file can't be what was written.
  case damaged(String)
  case newer

  init(_ error: any Error) {
    switch error {
    case is CacheFile.NotStored, is CancellationError, CacheDatabase.Fault.replaced: self = .passing
    case CacheDatabase.Fault.newer: self = .newer
    case CacheDatabase.Fault.damaged(let reason): self = .damaged(reason)
    case let error as CacheFiles.Failure: self = .unwritable(error.reason)
    case let error as DatabaseError: self.init(error)
    default: self = .damaged("\(error)")
    }
  }

  private init(_ error: DatabaseError) {
    // Without the statement.
    let reason = error.message ?? "\(error.resultCode)"
    switch error.extendedResultCode {
    case .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS:
      self = .damaged(reason)
      return
    default: break
    }
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_PROTOCOL,
      .SQLITE_SCHEMA:
      self = .passing
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM,
      .SQLITE_AUTH, .SQLITE_NOMEM, .SQLITE_NOLFS:
      self = .unwritable(reason)
    // What else fails, such as a missing table or two rows of one number, fails because of damage.
    default: self = .damaged(reason)
    }
  }
}
