import CurlewJSON
import Foundation

/// The temporary file of a download, beside its target; it is renamed at the end.
///
/// It consists of two files: the bytes, and a record of their origin. The record is written after
/// old bytes are removed and before the first new byte, so that it always matches the bytes,
/// whenever the process ends. A file lock, which ends with the process, excludes a second download
/// to the same target.
final class PartialFile: Sendable {
  /// The origin of the bytes.
  struct Record: Codable, Equatable {
    /// The identity of the request, without its secrets.
    var key: String
    /// The `ETag` or the `Last-Modified` of the whole file; `nil` if the download can't be resumed.
    var validator: String?
    /// The size of the whole file in bytes; `nil` if it is unknown.
    var total: Int64?
  }

  /// The maximum size of a record in bytes: more than the longest validator needs.
  private static let maximumRecordSize = 256 * 1024

  private let target: URL
  private let path: String
  private let recordPath: String
  private let handle: FileHandle

  /// Creates the partial file of a target, or opens the existing file.
  ///
  /// - Throws: ``FileSystemError``.
  init(for target: URL) throws {
    self.target = target
    let folder = target.deletingLastPathComponent()
    let name = Self.name(for: target.lastPathComponent)
    path = folder.appending(path: name).path
    recordPath = path + ".json"
    handle = try Self.open(path, for: target.path)
  }

  /// Returns the name of a partial file: most file systems limit names to 255 bytes.
  private static func name(for name: String) -> String {
    guard name.utf8.count > 230 else { return ".\(name).download" }
    // A scalar has at most four bytes, but a character may have any number.
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
    return ".\(start)-\(StableHash.of(name)).download"
  }

  private static func open(_ path: String, for target: String) throws -> FileHandle {
    while true {
      // Without following links: an attacker may have put a link there, to overwrite another file.
      let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard descriptor >= 0 else { throw FileSystemError.system(errno, target) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw errno == EWOULDBLOCK
          ? FileSystemError(.inUse, target, reason: "another download is writing to it")
          : FileSystemError.system(errno, target)
      }
      // Another download may have renamed the file since it was opened.
      var (opened, named) = (stat(), stat())
      guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0,
        opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
      else { continue }
      guard opened.st_mode & S_IFMT == S_IFREG else {
        throw FileSystemError(.other, path, reason: "it is not a regular file")
      }
      if opened.st_nlink <= 1 { return handle }
      // A completed file's second name, which a process that ended too early left behind.
      guard unlink(path) == 0 else { throw FileSystemError.system(errno, target) }
    }
  }

  /// The location of the bytes before the file has its final name.
  var location: URL { URL(filePath: path) }

  /// Returns the number of bytes; moves to the end of the file.
  func size() throws -> Int64 {
    try FileSystemError.classifying(target.path) { Int64(try handle.seekToEnd()) }
  }

  /// Returns the record; `nil` if it is missing or damaged.
  func record() -> Record? {
    // Non-blocking: opening a pipe would wait for its writer.
    let descriptor = Foundation.open(recordPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let data = try? handle.read(upToCount: Self.maximumRecordSize + 1),
      data.count <= Self.maximumRecordSize
    else { return nil }
    return try? FastJSONDecoder().decode(Record.self, from: data)
  }

  /// Removes all bytes, and writes the record of the next bytes.
  func begin(_ record: Record) throws {
    try FileSystemError.classifying(target.path) {
      if try handle.seekToEnd() > 0 { try handle.truncate(atOffset: 0) }
      try JSONEncoder().encode(record).write(to: URL(filePath: recordPath), options: .atomic)
    }
  }

  /// Appends bytes.
  func append(_ data: Data) throws {
    try FileSystemError.classifying(target.path) { try handle.write(contentsOf: data) }
  }

  /// Renames the file to its final name, and returns its location.
  ///
  /// - Parameters:
  ///   - replaces: Whether to replace an existing file with this name.
  ///   - otherNames: Whether to use another name if a file with this name exists.
  func finish(replaces: Bool, otherNames: Bool) throws -> URL {
    try FileSystemError.classifying(target.path) { try handle.synchronize() }
    var url = target
    if replaces {
      guard rename(path, target.path) == 0 else { throw FileSystemError.system(errno, target.path) }
    } else {
      var number = 2
      while !(try move(to: url.path)) {
        guard otherNames else { throw Self.exists(target.path) }
        url = Self.numbered(target, number)
        number += 1
      }
    }
    try? FileManager.default.removeItem(atPath: recordPath)
    return url
  }

  /// Moves the file to a name, unless a file with this name exists; returns whether it was moved.
  private func move(to name: String) throws -> Bool {
    // Unlike renaming, a link never replaces a file.
    if link(path, name) == 0 {
      unlink(path)
      return true
    }
    if errno == EEXIST { return false }
    // Some file systems don't support hard links.
    guard !FileManager.default.fileExists(atPath: name) else { return false }
    guard rename(path, name) == 0 else { throw FileSystemError.system(errno, name) }
    return true
  }

  private static func numbered(_ url: URL, _ number: Int) -> URL {
    let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    let stem = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appending(path: "\(stem) \(number)\(suffix)")
  }

  /// The kind of an existing file.
  enum Existing {
    case file, folder
    /// A device or a pipe, such as `/dev/null`.
    case device
  }

  /// Returns the kind of the existing file with a name, which may be a dangling link; `nil` if there
  /// is none.
  ///
  /// - Throws: ``FileSystemError`` if the name is too long.
  static func existing(_ path: String) throws -> Existing? {
    var named = stat()
    guard lstat(path, &named) == 0 else {
      if errno == ENAMETOOLONG { throw FileSystemError.system(errno, path) }
      return nil
    }
    let type = named.st_mode & S_IFMT
    if type == S_IFLNK, stat(path, &named) == 0, named.st_mode & S_IFMT == S_IFDIR {
      return .folder
    }
    switch type {
    case S_IFDIR: return .folder
    case S_IFREG, S_IFLNK: return .file
    default: return .device
    }
  }

  static func exists(_ path: String) -> FileSystemError {
    FileSystemError(.exists, path, reason: "a file with this name already exists")
  }

  /// Removes the file if it is empty: there is nothing to resume.
  func removeIfEmpty() {
    guard (try? size()) == 0 else { return }
    unlink(path)
    unlink(recordPath)
  }
}
