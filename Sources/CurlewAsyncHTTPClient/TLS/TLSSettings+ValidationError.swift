public import Foundation

extension TLSSettings {
  /// Says which certificate, key or pin can't be used, and why.
  public struct ValidationError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The file, `the text` or `the data`; a pin is quoted.
    public let source: String
    /// What is wrong with it.
    public let reason: String

    /// The whole sentence.
    public var description: String { "\(source) \(reason)." }
    /// As ``description``.
    public var errorDescription: String? { description }
  }
}

/// Where certificates and keys come from.
enum TLSSource {
  case file(String)
  case text(String)
  case data(Data)

  var name: String {
    switch self {
    case .file(let path): path
    case .text: "the text"
    case .data: "the data"
    }
  }

  func invalid(_ reason: String) -> TLSSettings.ValidationError {
    TLSSettings.ValidationError(source: name, reason: reason)
  }

  /// The bytes; never none.
  func read() throws(TLSSettings.ValidationError) -> Data {
    let data: Data
    switch self {
    case .text(let text): data = Data(text.utf8)
    case .data(let bytes): data = bytes
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
