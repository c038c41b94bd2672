public import Foundation

/// An error in a certificate, key or pin.
public struct CertificateError: Error, Hashable, CustomStringConvertible, LocalizedError {
  /// The invalid source: the file's path, `the text`, `the data` or the quoted pin.
  public let source: String
  /// The reason why the source is invalid.
  public let reason: String

  package init(source: String, reason: String) { (self.source, self.reason) = (source, reason) }

  /// The source and the reason, as a sentence.
  public var description: String { "\(source) \(reason)." }
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The source of certificates or a key.
package enum CertificateSource {
  case file(String)
  case text(String)
  case data

  package var name: String {
    switch self {
    case .file(let path): path
    case .text: "the text"
    case .data: "the data"
    }
  }

  package func invalid(_ reason: String) -> CertificateError {
    CertificateError(source: name, reason: reason)
  }

  /// Returns the bytes of a file or a text; an empty source is an error.
  package func read() throws(CertificateError) -> Data {
    let data: Data
    switch self {
    case .text(let text): data = Data(text.utf8)
    case .data: data = Data()
    case .file(let path):
      do {
        data = try Data(contentsOf: URL(filePath: path))
      } catch CocoaError.fileReadNoSuchFile {
        throw invalid("does not exist")
      } catch CocoaError.fileReadNoPermission {
        throw invalid("can't be read: permission denied")
      } catch {
        throw invalid("can't be read")
      }
    }
    guard !data.isEmpty else { throw invalid("is empty") }
    return data
  }
}
