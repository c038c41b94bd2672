import Foundation

/// The file that a download is written to before it gets its final name, beside that.
///
/// Two files belong to it: the bytes, and a record of what they are a part of. The record is written
/// before the first byte and after old bytes are removed, so that it is always true of the bytes,
/// whenever the process ends. A lock, which ends with the process, keeps two downloads apart.
final class PartialFile: Sendable {
  /// What the bytes are a part of.
  struct Record: Codable, Equatable {
    /// Identifies the request, without its secrets.
    var key: String
    /// The `ETag` or the `Last-Modified` of the whole; `nil` if it can't be resumed.
    var validator: String?
    /// The number of bytes of the whole; `nil` if it is not known.
    var total: Int64?
  }

  /// More bytes than a record has, however long its validator is.
  private static let longestRecord = 256 * 1024

  private let target: URL
  private let path: String
  private let recordPath: String
  private let handle: FileHandle

  /// Opens the partial file for a target, and creates it where it is missing.
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

  /// The name of a partial file: a name has at most 255 bytes in most file systems.
  private static func name(for name: String) -> String {
    guard name.utf8.count > 230 else { return ".\(name).download" }
    // A scalar has at most four bytes, a character any number.
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
    return ".\(start)-\(StableHash.of(name)).download"
  }

  private static func open(_ path: String, for target: String) throws -> FileHandle {
    while true {
      // Somebody else may have put a link there, to have another file overwritten.
      let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard descriptor >= 0 else { throw FileSystemError.system(errno, target) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw errno == EWOULDBLOCK
          ? FileSystemError(.inUse, target, reason: "another download is writing to it")
          : FileSystemError.system(errno, target)
      }
      // Another download may have renamed it since it was opened.
      var (opened, named) = (stat(), stat())
      guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0,
        opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
      else { continue }
      guard opened.st_mode & S_IFMT == S_IFREG else {
        throw FileSystemError(.other, path, reason: "it is not a regular file")
      }
      if opened.st_nlink <= 1 { return handle }
      // The second name of a file that a process completed, and then ended.
      guard unlink(path) == 0 else { throw FileSystemError.system(errno, target) }
    }
  }

  /// The location of the bytes before the file has its final name.
  var location: URL { URL(filePath: path) }

  /// The number of bytes, which the next ones follow.
  func size() throws -> Int64 {
    try FileSystemError.classifying(target.path) { Int64(try handle.seekToEnd()) }
  }

  /// The record; `nil` if there is none, or it is damaged.
  func record() -> Record? {
    // Without waiting for the writer of a pipe.
    let descriptor = Foundation.open(recordPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let data = try? handle.read(upToCount: Self.longestRecord + 1),
      data.count <= Self.longestRecord
    else { return nil }
    return try? JSONDecoder().decode(Record.self, from: data)
  }

  /// Removes all bytes, and writes what the next ones are a part of.
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

  /// Gives the file its final name, and returns its location.
  ///
  /// - Parameters:
  ///   - replaces: Whether a file with this name is replaced.
  ///   - otherNames: Whether another name is taken if there is a file with this one.
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

  /// Gives the file a name, unless there is a file with it; returns whether it did.
  private func move(to name: String) throws -> Bool {
    // Unlike renaming, a link never replaces a file.
    if link(path, name) == 0 {
      unlink(path)
      return true
    }
    if errno == EEXIST { return false }
    // Some file systems have no links.
    guard !FileManager.default.fileExists(atPath: name) else { return false }
    guard rename(path, name) == 0 else { throw FileSystemError.system(errno, name) }
    return true
  }

  private static func numbered(_ url: URL, _ number: Int) -> URL {
    let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    let stem = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appending(path: "\(stem) \(number)\(suffix)")
  }

  /// What may already have a name.
  enum Existing {
    case file, folder
    /// A device or a pipe, such as `/dev/null`.
    case device
  }

  /// Returns what has a name already, a link that leads nowhere included; `nil` for nothing.
  ///
  /// - Throws: ``FileSystemError`` if no file can have the name.
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
