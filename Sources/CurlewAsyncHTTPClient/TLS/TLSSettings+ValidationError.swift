public import Foundation

extension TLSSettings {
  /// An error in a certificate, key or pin.
  public struct ValidationError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// What can't be used: the file's path, `the text` or the quoted pin.
    public let source: String
    /// What is wrong with it.
    public let reason: String

    /// The source and the reason, as a sentence.
    public var description: String { "\(source) \(reason)." }
    /// The same text as ``description``.
    public var errorDescription: String? { description }
  }
}

/// The source of certificates or a key: PEM in a file or a text.
enum TLSSource {
  case file(String)
  case text(String)

  var name: String {
    if case .file(let path) = self { path } else { "the text" }
  }

  func invalid(_ reason: String) -> TLSSettings.ValidationError {
    TLSSettings.ValidationError(source: name, reason: reason)
  }

  /// Returns the source's bytes, at least one.
  func read() throws(TLSSettings.ValidationError) -> Data {
    let data: Data
    switch self {
    case .text(let text): data = Data(text.utf8)
    case .file(let path):
      do {
        data = try Data(contentsOf: URL(filePath: path))
      } catch CocoaError.fileReadNoSuchFile {
        throw invalid("does not exist")
      } catch CocoaError.fileReadNoPermission {
        throw invalid("may not be read")
      } catch {
        throw invalid("can't be read")
      }
    }
    guard !data.isEmpty else { throw invalid("is empty") }
    return data
  }
}
