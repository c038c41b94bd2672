import CurlewJSON
public import Foundation
public import HTTPTypes

/// The decoding of an accepted response's body.
public struct ResponseDecoding<Value: Sendable>: Sendable {
  let decode: @Sendable (Data, HTTPResponse, JSONDecoder) throws -> Value
  /// Whether the decoding only accepts JSON.
  var isJSON = false

  /// Creates a custom decoding; its errors are reported as ``Client/Error/decoding(_:)``.
  ///
  /// - Parameter decode: Decodes the whole body; receives it with the response's head and the client's JSON
  ///   decoder.
  public init(_ decode: @escaping @Sendable (Data, HTTPResponse, JSONDecoder) throws -> Value) {
    self.decode = decode
  }

  /// Returns this decoding with a fixed value for some status codes.
  func returning(_ value: Value, for statuses: Set<Int>) -> Self {
    var copy = Self { [decode] data, head, decoder in
      statuses.contains(head.status.code) ? value : try decode(data, head, decoder)
    }
    copy.isJSON = isJSON
    return copy
  }
}

/// Masks a request's secrets in decoding errors; a task-local value, because decoders have no parameter for
/// it.
///
/// It is a struct, because with a closure an optimized build with Swift 6.3.1 crashes in `withValue` if the
/// operation returns `Void`.
struct DecodingRedaction {
  @TaskLocal static var current: DecodingRedaction?

  let redaction: Redaction
  let head: HTTPRequest

  func callAsFunction(_ text: String) -> String { redaction.redacting(text, secretsOf: head) }
}

/// An optional type.
private protocol OptionalValue {
  static var none: Self { get }
}

extension Optional: OptionalValue {}

extension ResponseDecoding where Value: Decodable {
  /// The decoding of JSON with the client's decoder; an empty body, as of a 204, is the `nil` of an optional.
  public static var json: Self {
    var json = Self { data, _, decoder in
      if data.allSatisfy({ " \t\r\n".utf8.contains($0) }),
        let none = (Value.self as? any OptionalValue.Type)?.none as? Value
      {
        return none
      }
      return try decoder.decodeSafely(Value.self, from: data)
    }
    json.isJSON = true
    return json
  }

  /// The default decoding: the bytes for `Data`, the text for `String`, and JSON for any other type.
  public static var automatic: Self {
    // Comparing the types first saves every JSON endpoint two failing casts.
    if Value.self == Data.self, let data = ResponseDecoding<Data>.data as? Self { return data }
    if Value.self == String.self, let text = ResponseDecoding<String>.text as? Self { return text }
    return .json
  }
}

extension ResponseDecoding where Value == Data {
  /// The decoding that returns the body's bytes unchanged.
  public static var data: Self { Self { data, _, _ in data } }
}

extension ResponseDecoding where Value == String {
  /// The decoding of the body as text in the charset of its `Content-Type`, if Foundation knows it.
  ///
  /// Without a charset, or with an unknown charset, it is UTF-8. A byte order mark takes precedence, and is removed.
  public static var text: Self {
    Self { data, response, _ in
      let charset = response.headerFields.mediaType?.parameters["charset"]
      if let text = Charset.text(data, charset) { return text }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "The body is not \(charset ?? "UTF-8") text."))
    }
  }
}

extension ResponseDecoding where Value == Void {
  /// The decoding that discards the body.
  public static var discarded: Self { Self { _, _, _ in } }
}
