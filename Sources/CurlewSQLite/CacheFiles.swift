import Foundation

/// A cache's files: its database and the files beside it.
///
/// Opening and deleting take a lock, which the system releases if the process exits. A connection opens the database
/// and its log (`-wal`) separately, and both must belong to the same database.
struct CacheFiles: Sendable {
  /// Identifies a file, independently of its path.
  struct Identity: Sendable, Equatable {
    let device: UInt64
    let node: UInt64
  }

  /// The `application_id` of a cache in the file's header.
  private static let application = "Crlw".utf8

  let path: String

  init(_ url: URL) {
    // SQLite stores the log beside the target of a symbolic link.
    path = url.resolvingSymlinksInPath().path
  }

  var identity: Identity? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: info.st_dev), node: UInt64(info.st_ino))
  }

  /// Runs a function while no other process opens or deletes the files.
  func locked<Value>(exclusively: Bool = true, _ body: () throws -> Value) throws -> Value {
    let descriptor = open(path + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.error("its lock can't be opened") }
    defer { close(descriptor) }
    var tries = 0
    while flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw Self.error("its lock can't be acquired")
      }
      guard tries < 50 else { throw FileError.transient }
      tries += 1
      usleep(10_000)
    }
    return try body()
  }

  /// Creates the folder if necessary, readable only by its owner.
  func createFolder() throws {
    do {
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw FileError.unusable("its folder can't be created: \(error.localizedDescription)")
    }
  }

  /// Creates an empty file if there is none; called under the lock.
  func createFile() throws -> Identity {
    var info = stat()
    if stat(path, &info) == 0 {
      guard info.st_mode & S_IFMT != S_IFDIR else { throw FileError.unusable("it is a folder") }
    } else {
      // Such files belong to a deleted database, which another process may still have open.
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      // SQLite uses this file's permissions for the files beside it.
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Self.error("it can't be created") }
      close(descriptor)
    }
    guard let identity else { throw Self.error("it can't be read") }
    return identity
  }

  /// Revokes other users' access to the files.
  func restrict() {
    for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
  }

  /// Deletes the files; called under the lock.
  ///
  /// - Throws: An error also for a file that is not a cache: the path may be a mistake.
  func delete() throws {
    guard try mayBeDeleted() else {
      throw FileError.unusable("it is not a cache file and is left unchanged")
    }
    for suffix in ["-wal", "-shm", ""] where unlink(path + suffix) != 0 && errno != ENOENT {
      throw Self.error("it can't be deleted")
    }
  }

  /// Returns whether the file is missing, has a cache's header, or contains only zeros, as after a crash.
  private func mayBeDeleted() throws -> Bool {
    guard identity != nil else { return true }
    let file = try FileHandle(forReadingFrom: URL(filePath: path, directoryHint: .notDirectory))
    let header = try file.read(upToCount: 72) ?? Data()
    if header.starts(with: "SQLite format 3\0".utf8),
      header.dropFirst(68).elementsEqual(Self.application)
    {
      return true
    }
    var bytes = header
    while !bytes.isEmpty {
      guard bytes.allSatisfy({ $0 == 0 }) else { return false }
      bytes = try file.read(upToCount: 1 << 20) ?? Data()
    }
    return true
  }

  private static func error(_ what: String) -> FileError {
    .unusable("\(what): \(String(cString: strerror(errno)))")
  }
}
