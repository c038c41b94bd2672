import Foundation
import Synchronization

/// Keeps actions in a file to which changes are appended; it is written anew when most of it is outdated.
///
/// Two files beside it, `.lock` and `.lease`, have no contents: the system releases their locks when a process ends.
final class OutboxFile: OutboxStorage {
  private struct State {
    var log = OutboxLog()
    /// The descriptor of the file that is locked during each access.
    var lock: Int32 = -1
    /// The descriptor of the locked lease; negative without the lease.
    var lease: Int32 = -1
    /// Whether the last access has failed.
    var hasFailed = false
  }

  private let file: URL
  private let report: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  init(_ file: URL, report: @escaping @Sendable (any Error) -> Void) {
    (self.file, self.report) = (file, report)
  }

  deinit {
    state.withLock { state in
      for descriptor in [state.lock, state.lease] where descriptor >= 0 { close(descriptor) }
    }
  }

  func all() throws -> [OutboxRecord] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try access { state in try locked(&state) { log, _ in log.records.all } }
  }

  func version() throws -> Int? {
    guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
    return try access { state in try locked(&state) { log, _ in log.version } }
  }

  func apply(_ changes: [OutboxChange]) throws {
    try access { state in
      try locked(&state) { log, descriptor in try write(changes, descriptor, &log) }
    }
  }

  func acquireLease() throws -> Bool {
    try access { state in
      let lease = try descriptor(of: file.appendingPathExtension("lease"))
      guard flock(lease, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        close(lease)
        guard code == EWOULDBLOCK || code == EINTR else { throw Self.error(code) }
        return false
      }
      state.lease = lease
      return true
    }
  }

  func releaseLease() {
    state.withLock { state in
      if state.lease >= 0 { close(state.lease) }
      state.lease = -1
    }
  }

  // MARK: The file

  /// Reads what other processes have changed, and performs an operation on the open file, while no other process does.
  private func locked<Result>(
    _ state: inout State, _ body: (inout OutboxLog, Int32) throws -> Result
  ) throws -> Result {
    if state.lock < 0 {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      state.lock = try descriptor(of: file.appendingPathExtension("lock"))
    }
    while flock(state.lock, LOCK_EX) != 0 { guard errno == EINTR else { throw Self.error() } }
    defer { flock(state.lock, LOCK_UN) }
    let descriptor = try descriptor(of: file)
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw Self.error() }
    try state.log.read(Int(size)) { try Self.read(descriptor, $0) }
    return try body(&state.log, descriptor)
  }

  private func write(
    _ changes: [OutboxChange], _ descriptor: Int32, _ log: inout OutboxLog
  ) throws {
    let frames = changes.reduce(into: Data()) { $0 += OutboxLog.frame($1) }
    if log.isDamaged || log.end > 65_536 + 2 * log.liveSize {
      var new = log
      new.add(changes, size: frames.count)
      do {
        if log.isDamaged { try setAside() }
        return try replace(with: new.compacted())
      } catch  where !log.isDamaged {
        // A full disk may have space for the changes alone.
      }
    }
    let (start, header) = (log.end, log.end == 0 ? OutboxLog.header() : Data())
    do {
      // Removes a change that was cut off by the end of its process.
      guard ftruncate(descriptor, off_t(start)) == 0 else { throw Self.error() }
      try Self.write(header + frames, descriptor, at: start)
      if start == 0 { try synchronizeFolder() }
    } catch {
      ftruncate(descriptor, off_t(start))
      throw error
    }
    // A new file is read at the next access, with its identity.
    if start > 0 { log.add(changes, size: frames.count) }
  }

  /// Replaces the file; the records are read again at the next access.
  private func replace(with contents: Data) throws {
    let new = file.appendingPathExtension("new")
    unlink(new.path)
    let descriptor = try descriptor(of: new)
    defer { close(descriptor) }
    try Self.write(contents, descriptor, at: 0)
    guard rename(new.path, file.path) == 0 else { throw Self.error() }
    try synchronizeFolder()
  }

  /// Keeps a damaged file, which will be replaced, under another name, unless there is an earlier one.
  private func setAside() throws {
    let aside = file.appendingPathExtension("damaged")
    guard link(file.path, aside.path) == 0 || errno == EEXIST else { throw Self.error() }
    report(Self.error(EIO))
  }

  /// Makes a file's name permanent.
  private func synchronizeFolder() throws {
    let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.error() }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw Self.error() }
  }

  /// Opens a file that only its user can read, and that no child process inherits, which would keep its locks.
  private func descriptor(of url: URL) throws -> Int32 {
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.error() }
    return descriptor
  }

  private static func read(_ descriptor: Int32, _ range: Range<Int>) throws -> Data {
    var data = Data(count: range.count)
    try data.withUnsafeMutableBytes { buffer in
      var count = 0
      while count < buffer.count {
        let read = pread(
          descriptor, buffer.baseAddress! + count, buffer.count - count,
          off_t(range.lowerBound + count))
        if read < 0, errno == EINTR { continue }
        // No process cuts the file while it is locked.
        guard read > 0 else { throw error(read < 0 ? errno : EIO) }
        count += read
      }
    }
    return data
  }

  private static func write(_ data: Data, _ descriptor: Int32, at start: Int) throws {
    try data.withUnsafeBytes { buffer in
      var count = 0
      while count < buffer.count {
        let written = pwrite(
          descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(start + count))
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw error() }
        count += written
      }
    }
    guard fsync(descriptor) == 0 else { throw error() }
  }

  private static func error(_ code: Int32 = errno) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
  }

  /// Accesses the state under its lock, and reports the first of several errors in a row.
  private func access<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    var isReported = false
    do {
      return try state.withLock { state in
        isReported = state.hasFailed
        state.hasFailed = true
        let result = try body(&state)
        state.hasFailed = false
        return result
      }
    } catch {
      if !isReported { report(error) }
      throw error
    }
  }
}
