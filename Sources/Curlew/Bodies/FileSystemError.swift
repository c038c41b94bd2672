package import Foundation

/// A file system error, which the client reports as ``Client/FileFailure``.
package struct FileSystemError: Error, CustomStringConvertible {
  package let kind: Client.FileFailure.Kind
  let path: String
  package let reason: String

  init(_ kind: Client.FileFailure.Kind, _ path: String, reason: String) {
    (self.kind, self.path, self.reason) = (kind, path, reason)
  }

  /// Classifies an error that Foundation threw for a file.
  package init(_ error: any Error, _ path: String) {
    if let problem = error as? FileSystemError {
      self = problem
      return
    }
    let code = Self.posixCode(error)
    let kind: Client.FileFailure.Kind =
      switch (error as? CocoaError)?.code {
      case .fileNoSuchFile, .fileReadNoSuchFile: .notFound
      case .fileReadNoPermission, .fileWriteNoPermission, .fileWriteVolumeReadOnly: .notPermitted
      case .fileWriteFileExists: .exists
      case .fileWriteOutOfSpace: .noSpace
      default: code.map { Self.kind(of: $0) } ?? .other
      }
    self.init(
      kind, path, reason: code.map { String(cString: strerror($0)) } ?? error.localizedDescription)
  }

  /// Throws an error if a URL is not a file URL.
  package static func check(_ url: URL) throws(FileSystemError) {
    guard !url.isFileURL else { return }
    throw FileSystemError(
      .other, url.path,
      reason: "it is not a file URL: create it with URL(filePath:)")
  }

  /// Returns the error for the `errno` of a system call.
  static func system(_ code: Int32, _ path: String) -> FileSystemError {
    FileSystemError(kind(of: code), path, reason: String(cString: strerror(code)))
  }

  /// Runs an operation on a file, and converts its error to a ``FileSystemError``.
  static func classifying<Value>(
    _ path: String, _ operation: () throws -> Value
  ) throws(FileSystemError) -> Value {
    do {
      return try operation()
    } catch {
      throw FileSystemError(error, path)
    }
  }

  private static func posixCode(_ error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { posixCode($0) }
  }

  private static func kind(of code: Int32) -> Client.FileFailure.Kind {
    switch code {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .notPermitted
    case EEXIST: .exists
    case ENOSPC, EDQUOT, EFBIG: .noSpace
    default: .other
    }
  }

  package var description: String { "\(path): \(reason)" }
}

/// A reader of a file in chunks.
struct FileChunks {
  /// The size of a chunk, in bytes: larger chunks are not faster.
  static let chunkSize = 128 * 1024

  private let path: String
  private let handle: FileHandle
  /// The number of remaining bytes.
  private var rest: Int64

  /// Opens a file of a known size.
  ///
  /// - Throws: ``FileSystemError``, also if the file's size has changed.
  init(_ url: URL, size: Int64) throws {
    path = url.path
    handle = try FileSystemError.classifying(path) { try FileHandle(forReadingFrom: url) }
    rest = size
    guard try Self.size(of: url) == size else { throw Self.changed(path) }
  }

  /// Returns the size of a file, in bytes.
  ///
  /// - Throws: ``FileSystemError``, also for a folder.
  static func size(of url: URL) throws -> Int64 {
    try FileSystemError.check(url)
    return try FileSystemError.classifying(url.path) {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path)
      guard attributes[.type] as? FileAttributeType == .typeRegular,
        let size = attributes[.size] as? NSNumber
      else { throw FileSystemError(.other, url.path, reason: "it is not a regular file") }
      return size.int64Value
    }
  }

  /// Returns the next chunk; `nil` at the end.
  mutating func next() throws -> Data? {
    guard rest > 0 else { return nil }
    let chunk = try FileSystemError.classifying(path) {
      try handle.read(upToCount: Int(min(rest, Int64(Self.chunkSize))))
    }
    guard let chunk, !chunk.isEmpty else { throw Self.changed(path) }
    rest -= Int64(chunk.count)
    return chunk
  }

  private static func changed(_ path: String) -> FileSystemError {
    FileSystemError(.changed, path, reason: "its size changed while it was being sent")
  }
}
