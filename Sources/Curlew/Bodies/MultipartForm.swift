import Foundation

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
