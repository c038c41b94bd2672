import Curlew
public import Foundation

extension HAR {
  /// The reason why a recording can't be written: the file and what is wrong.
  public struct WritingError: Swift.Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The file's path.
    public let path: String
    /// What is wrong.
    public let reason: String

    /// A sentence with the path and the reason.
    public var description: String { "\(path) can't be written: \(reason)." }

    /// The same as ``description``.
    public var errorDescription: String? { description }
  }

  /// Returns the recording as a HAR 1.2 file: JSON with sorted keys, readable in a diff.
  ///
  /// Bodies that are UTF-8 are texts, others base64. An exchange without a response has the status 0, and its
  /// ``Entry/failure`` as `_error`, as browsers write it. A date that is not known is that of 1970.
  ///
  /// It contains all secrets of the recording; those of an ``HARRecorder`` are masked already.
  public func data() -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Texts and finite numbers always encode.
    return (try? encoder.encode(HARDocument(self))) ?? Data()
  }

  /// Writes the recording to a file, as ``data()`` returns it.
  ///
  /// A file that exists is replaced when the new one is complete; a link stays one. Only the
  /// file's owner may read it: who records the traffic of an app records what it shows to its user.
  ///
  /// - Throws: ``WritingError``, which names the file and the reason.
  public func write(to file: URL) throws(WritingError) {
    // Through a link, which would be replaced otherwise.
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
