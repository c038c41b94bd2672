public import Foundation

/// An error for a text that is not a valid http or https URL, or not the address of a proxy; it contains the text and
/// the reason.
public struct URLParsingError: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The text that could not be parsed, with secrets masked.
  public let text: String
  /// The reason why the text can't be used.
  public let reason: String
  /// The kind of URL that was expected.
  var expected = Expected.reference

  enum Expected {
    case base, reference, proxy
  }

  /// A sentence with the text and the reason; for a base URL and a proxy, also an example.
  public var description: String {
    let (name, example) =
      switch expected {
      case .base: ("a base URL", " It should look like https://api.example.com/v1.")
      case .reference: ("a URL to send requests to", "")
      case .proxy:
        ("the address of a proxy", " It should look like http://proxy.example.com:3128.")
      }
    return "\"\(text)\" is not \(name): \(reason).\(example)"
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
