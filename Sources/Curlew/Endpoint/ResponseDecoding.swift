public import Foundation
public import HTTPTypes

/// How the body of a 2xx answer becomes a value.
public struct ResponseDecoding<Value: Sendable>: Sendable {
  let decode: @Sendable (Data, HTTPResponse, JSONDecoder) throws -> Value

  /// Creates a decoding of your own; what it throws is reported as ``Client/Error/decoding(_:)``.
  ///
  /// - Parameter decode: Takes the whole body, the answer's head and the client's JSON decoder.
  public init(_ decode: @escaping @Sendable (Data, HTTPResponse, JSONDecoder) throws -> Value) {
    self.decode = decode
  }

  /// Decodes the answer to a request, whose secrets no report of a damaged entry is to show.
  func value(
    from data: Data, _ head: HTTPResponse, _ decoder: JSONDecoder, of request: OutgoingRequest
  ) throws -> Value {
    try OutgoingRequest.$beingAnswered.withValue(request) { try decode(data, head, decoder) }
  }
}

extension OutgoingRequest {
  /// The request whose answer is being decoded: a decoder can't hand it on.
  @TaskLocal static var beingAnswered: OutgoingRequest?
}

extension ResponseDecoding where Value: Decodable {
  /// Reads JSON with the client's decoder.
  public static var json: Self {
    Self { data, _, decoder in try decoder.decode(Value.self, from: data) }
  }

  /// Takes the bytes for `Data`, the text for `String`, and JSON for any other type.
  public static var automatic: Self {
    // Comparing the types first spares every JSON endpoint two failing casts.
    if Value.self == Data.self, let data = ResponseDecoding<Data>.data as? Self { return data }
    if Value.self == String.self, let text = ResponseDecoding<String>.text as? Self { return text }
    return .json
  }
}

extension ResponseDecoding where Value == Data {
  /// Takes the body's bytes as they are.
  public static var data: Self { Self { data, _, _ in data } }
}

extension ResponseDecoding where Value == String {
  /// Takes the body as text: UTF-8, or ISO 8859-1 where the `Content-Type` says so.
  public static var text: Self {
    Self { data, response, _ in
      let charset = response.headerFields.mediaType?.parameters["charset"]?.lowercased()
      let isLatin = ["iso-8859-1", "latin1"].contains(charset)
      if let text = String(data: data, encoding: isLatin ? .isoLatin1 : .utf8) { return text }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The body is not UTF-8 text."))
    }
  }
}

extension ResponseDecoding where Value == Void {
  /// Drops the body.
  public static var discarded: Self { Self { _, _, _ in } }
}
