import Foundation

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
