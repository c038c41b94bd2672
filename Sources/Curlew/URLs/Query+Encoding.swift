import CurlewJSON
public import Foundation

extension Query {
  /// Creates a query from a value's properties, in the alphabetical order of their names.
  ///
  /// ```swift
  /// struct Filter: Encodable { var labels: [String]?; var state = "open"; var since: Date? }
  /// let query = try Query(encoding: Filter(labels: ["bug", "help"]))
  /// // labels=bug&labels=help&state=open
  /// ```
  ///
  /// As in a literal, an array repeats its name and `nil` drops its item. Names are the coding keys. Values
  /// are formatted like `JSONEncoder`'s: `Data` in Base64, `Decimal` and `URL` as text.
  ///
  /// - Parameters:
  ///   - value: A value that encodes a keyed container: a struct, or a dictionary.
  ///   - dates: The format of dates; by default ISO 8601, in UTC and whole seconds.
  /// - Throws: `EncodingError` for values without a standard form in a query: a nested object, an array in
  ///   an array, a number that is not finite; and for an error of the value's own encoding.
  public init(encoding value: some Encodable, dates: JSONEncoder.DateEncodingStrategy = .iso8601)
    throws(EncodingError)
  {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = dates
    do {
      let fields = try FastJSONDecoder().decode([String: Texts].self, from: encoder.encode(value))
      self.init(
        fields.sorted { $0.key < $1.key }.flatMap { name, texts in
          texts.values.map { Item(name, $0) }
        })
    } catch EncodingError.invalidValue(_, let context) {
      throw .unsupported(context.codingPath, context.debugDescription)
    } catch DecodingError.typeMismatch(_, let context) {
      throw .unsupported(context.codingPath, "the value has no standard form in a query")
    } catch {
      throw .unsupported([], "\(error)")
    }
  }

  /// The texts of a property: a single text, or a text for each element of an array; no text for `null`.
  private struct Texts: Decodable {
    var values: [String] = []

    init(from decoder: any Decoder) throws {
      if var list = try? decoder.unkeyedContainer() {
        while !list.isAtEnd { try append(list.superDecoder()) }
      } else {
        try append(decoder)
      }
    }

    private mutating func append(_ decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let bool = try? value.decode(Bool.self) {
        values.append(bool.description)
      } else if let number = try? value.decode(Decimal.self) {
        values.append(number.description)
      } else if !value.decodeNil() {
        values.append(try value.decode(String.self))
      }
    }
  }
}

extension EncodingError {
  /// Returns an error for a value without a form in a query; it does not contain the value, which may be
  /// secret.
  fileprivate static func unsupported(_ path: [any CodingKey], _ reason: String) -> EncodingError {
    .invalidValue(Redaction.mask, Context(codingPath: path, debugDescription: reason))
  }
}
