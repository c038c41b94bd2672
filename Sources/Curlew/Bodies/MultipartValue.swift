public import Foundation

/// A value in a ``MultipartForm`` literal: a text, a number, ``json(_:)``, ``data(_:contentType:fileName:)``,
/// ``file(_:contentType:fileName:)``, a ``RequestBody``, or an array of these.
public protocol MultipartValue: Sendable {
  /// The contents to send: a single content, or one content for each element of an array.
  var multipartContents: [MultipartForm.Content] { get }
}

extension MultipartValue where Self == MultipartForm.Content {
  /// Returns a value as JSON, encoded by the client's `jsonEncoder`.
  public static func json(_ value: some Encodable & Sendable) -> Self {
    Self(body: .json(value))
  }

  /// Returns the content with these bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - contentType: The media type; by default the type for the file name's extension, as for a file.
  ///   - fileName: The name of the file; by default `nil`.
  public static func data(
    _ data: Data, contentType: String? = nil, fileName: String? = nil
  ) -> Self {
    let contentType = contentType ?? FileType.contentType(of: fileName ?? "")
    return Self(body: .data(data, contentType: contentType), fileName: fileName)
  }

  /// Returns the content of a file, which is read during the upload: see
  /// ``RequestBody/file(_:contentType:)``.
  ///
  /// - Parameters:
  ///   - file: The URL of the file.
  ///   - contentType: The media type; by default the type for a common file extension, otherwise
  ///     `application/octet-stream`.
  ///   - fileName: The file name to send; by default the last component of the file's path.
  public static func file(
    _ file: URL, contentType: String? = nil, fileName: String? = nil
  ) -> Self {
    let fileName = fileName ?? file.lastPathComponent
    let contentType = contentType ?? FileType.contentType(of: fileName)
    return Self(body: .file(file, contentType: contentType), fileName: fileName)
  }

  /// Returns the content of any body, such as a stream.
  public static func body(_ body: RequestBody, fileName: String? = nil) -> Self {
    Self(body: body, fileName: fileName)
  }

  /// Returns the text of a field, without a content type (RFC 7578 section 4.4).
  static func text(_ text: String) -> Self {
    Self(body: RequestBody(contentType: nil) { _ in OutgoingBody(Data(text.utf8)) })
  }
}

extension MultipartForm.Content: MultipartValue {
  /// The content itself.
  public var multipartContents: [MultipartForm.Content] { [self] }
}

extension RequestBody: MultipartValue {
  /// The body as a content without a file name.
  public var multipartContents: [MultipartForm.Content] { [.body(self)] }
}

extension MultipartValue where Self: QueryValue {
  /// The same texts as in a query.
  public var multipartContents: [MultipartForm.Content] { queryValues.map { .text($0) } }
}

extension String: MultipartValue {}
extension Substring: MultipartValue {}
extension Int: MultipartValue {}
extension Int64: MultipartValue {}
extension UInt: MultipartValue {}
extension UInt64: MultipartValue {}
extension Double: MultipartValue {}
extension Bool: MultipartValue {}
extension Sensitive: MultipartValue {}

extension Array: MultipartValue where Element: MultipartValue {
  /// The contents of all elements.
  public var multipartContents: [MultipartForm.Content] { flatMap(\.multipartContents) }
}
