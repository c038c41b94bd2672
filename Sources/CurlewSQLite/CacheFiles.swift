import Foundation

/// A cache's files in the file system: its database and what belongs to it.
///
/// Opening and renaming take a lock, which ends with the process that has it: a connection opens its file
/// and the log beside it (`-wal`) one after the other, and must not get those of two databases.
struct CacheFiles: Sendable {
  /// What tells a file from another one that takes its path.
  struct Identity: Sendable, Hashable {
    private let device: UInt64
    private let node: UInt64

    init?(_ path: String) {
      var info = stat()
      guard stat(path, &info) == 0 else { return nil }
      (device, node) = (UInt64(truncatingIfNeeded: info.st_dev), UInt64(info.st_ino))
    }
  }

  /// An error of the file system.
  struct Failure: Error {
    let reason: String
  }

  let path: String

  init(_ url: URL) {
    // SQLite keeps the log beside the file that a link leads to.
    path = url.resolvingSymlinksInPath().path
  }

  var identity: Identity? { Identity(path) }

  /// Runs a function while no other process opens or renames the files.
  func locked<Value>(exclusively: Bool = true, _ body: () throws -> Value) throws -> Value {
    let descriptor = open(path + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure("its lock can't be opened") }
    defer { close(descriptor) }
    var tries = 0
    while flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, tries < 200 else {
        throw Self.failure("its lock can't be taken")
      }
      tries += 1
      usleep(10_000)
    }
    return try body()
  }

  /// Creates the folder where it is missing, which only the owner can read.
  func createFolder() throws {
    var missing: [String] = []
    var folder = URL(filePath: path).deletingLastPathComponent()
    while access(folder.path, F_OK) != 0, folder.path.count > 1 {
      missing.append(folder.path)
      folder.deleteLastPathComponent()
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw Self.failure("its folder can't be created")
    }
  }

  /// Creates an empty file where there is none, and takes an existing one from other users; called under
  /// the lock.
  func createFile() throws -> Identity {
    var info = stat()
    if stat(path, &info) == 0 {
      guard info.st_mode & S_IFMT != S_IFDIR else { throw Failure(reason: "it is a folder") }
      for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
    } else {
      // What another process may still have open belongs to a database that is gone.
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      // SQLite gives the files beside it the permissions of this one.
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Self.failure("it can't be created") }
      close(descriptor)
    }
    guard let identity else { throw Self.failure("it can't be read") }
    return identity
  }

  private static func mark(_ kind: SQLiteCacheProblem.Kind) -> String {
    kind == .newer ? "-newer-" : "-damaged-"
  }

  /// Renames the file, and removes what was renamed before; called under the lock.
  ///
  /// - Returns: Its new path.
  func setAside(as kind: SQLiteCacheProblem.Kind, now: Date) throws -> String {
    removeCopies([kind])
    let copy = path + Self.mark(kind) + now.formatted(.iso8601.timeSeparator(.omitted))
    // The log first: without it the file is an older state of itself, while beside a new file it would be
    // a part of another database. The index of the log is made anew; who has it open keeps it.
    rename(path + "-wal", copy + "-wal")
    unlink(path + "-shm")
    guard rename(path, copy) == 0 else { throw Self.failure("it can't be renamed") }
    return copy
  }

  /// Removes what was renamed.
  func removeCopies(_ kinds: [SQLiteCacheProblem.Kind] = [.damaged, .newer]) {
    let url = URL(filePath: path)
    let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
    let prefixes = kinds.map { name + Self.mark($0) }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where prefixes.contains(where: { name.hasPrefix($0) }) { unlink(folder + "/" + name) }
  }

  /// Deletes the file; called under the lock.
  func delete() throws {
    for suffix in ["-wal", "-shm", ""] where unlink(path + suffix) != 0 && errno != ENOENT {
      throw Self.failure("it can't be deleted")
    }
  }

  private static func failure(_ what: String) -> Failure {
    Failure(reason: "\(what): \(String(cString: strerror(errno)))")
  }
}
