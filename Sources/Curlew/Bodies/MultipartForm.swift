public import Foundation

/// The parts of a form with files (`multipart/form-data`, RFC 7578), in order; a name may occur more
/// than once.
///
/// ```swift
/// let form: MultipartForm = [
///   "title": title, "labels": ["red", "round"], "meta": .json(meta),
///   "photo": .file(url, contentType: "image/jpeg"),
/// ]
/// ```
///
/// A `nil` value drops its part, an array repeats its name. Texts are sent as UTF-8, with unchanged line
/// breaks.
public struct MultipartForm: Sendable {
  /// A name and its content.
  struct Part: Sendable {
    /// The name of the form's field; it may contain any character.
    var name: String
    /// The content.
    var content: Content

    /// Creates a part.
    init(_ name: String, _ content: Content) {
      (self.name, self.content) = (name, content)
    }
  }

  /// The content of a part, and its file name.
  public struct Content: Sendable {
    /// The bytes and their content type.
    var body: RequestBody
    /// The name of the file; `nil` if the content is not a file.
    ///
    /// Servers treat a part with a file name as an uploaded file, and a part without a file name as a text
    /// field.
    var fileName: String?
  }

  /// The parts in the order in which they are sent.
  var parts: [Part]

  /// Creates a form of these parts.
  init(_ parts: [Part] = []) {
    self.parts = parts
  }

  /// Adds a part; no part for `nil`, and a part for each element of an array.
  public mutating func add(_ name: String, _ value: (any MultipartValue)?) {
    parts += value?.multipartContents.map { Part(name, $0) } ?? []
  }
}

extension MultipartForm: ExpressibleByDictionaryLiteral {
  /// Creates a form; `nil` drops a part, an array repeats its name.
  public init(dictionaryLiteral elements: (String, (any MultipartValue)?)...) {
    self.init()
    for (name, value) in elements { add(name, value) }
  }
}

extension MultipartForm: Described {
  /// The names of the parts, without their contents.
  public var description: String { "\(parts.map(\.name))" }
}

extension MultipartForm.Part {
  /// Returns the part's header fields, up to its content.
  func head(contentType: String?) throws -> Data {
    var text = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName = content.fileName { text += "; filename=\"\(Self.escaped(fileName))\"" }
    if let contentType {
      // A line break in a malformed content type could add header fields to the part.
      guard FileType.isValid(contentType) else {
        throw EncodingError.invalidValue(
          contentType,
          EncodingError.Context(
            codingPath: [],
            debugDescription: "the content type of the part \(name.debugDescription) is malformed"))
      }
      text += "\r\nContent-Type: \(contentType)"
    }
    return Data("\(text)\r\n\r\n".utf8)
  }

  /// Returns a name as browsers send it: only `"`, CR and LF are escaped, not `%` or `\`.
  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "%22".utf8
      case UInt8(ascii: "\r"): bytes += "%0D".utf8
      case UInt8(ascii: "\n"): bytes += "%0A".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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
