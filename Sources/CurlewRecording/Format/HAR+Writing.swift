import Curlew
public import Foundation

extension HAR {
  /// An error writing a recording: the file and the reason.
  public struct WritingError: Swift.Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The file's path.
    public let path: String
    /// The reason.
    public let reason: String

    /// A sentence with the path and the reason.
    public var description: String { "\(path) can't be written: \(reason)." }

    /// The same as ``description``.
    public var errorDescription: String? { description }
  }

  /// Returns the recording as a HAR 1.2 file: JSON with sorted keys, readable in a diff.
  ///
  /// UTF-8 bodies are written as text, others as base64. An exchange without a response has the status 0, and its
  /// ``Entry/failure`` as `_error`, as browsers do. An unknown date is written as 1 January 1970.
  ///
  /// It contains all secrets of the recording. An ``HARRecorder`` has masked its secrets already.
  public func data() -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings and finite numbers always encode.
    return (try? encoder.encode(HARDocument(self))) ?? Data()
  }

  /// Writes the recording to a file, as ``data()`` returns it.
  ///
  /// An existing file is replaced atomically, and a symbolic link is followed. Only the file's owner may read it,
  /// because an app's traffic contains its user's data.
  ///
  /// - Throws: ``WritingError``, which names the file and the reason.
  public func write(to file: URL) throws(WritingError) {
    // Replacing the link itself would leave its target unchanged.
    let file = file.resolvingSymlinksInPath()
    let path = file.path(percentEncoded: false)
    do {
      try FileSystemError.check(file)
      if let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        as? FileAttributeType,
        type != .typeRegular
      {
        throw WritingError(path: path, reason: "it is not a regular file")
      }
      try data().write(to: file, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw (error as? WritingError)
        ?? WritingError(path: path, reason: FileSystemError(error, path).reason)
    }
  }
}
