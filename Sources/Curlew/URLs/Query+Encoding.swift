public import Foundation

extension Query {
  /// Creates the query of a value's properties, in the order in which it encodes them.
  ///
  /// ```swift
  /// struct Filter: Encodable { var state = "open"; var labels: [String]?; var since: Date? }
  /// let query = try Query(encoding: Filter(labels: ["bug", "help"]))
  /// // state=open&labels=bug&labels=help
  /// ```
  ///
  /// As in a literal, an array repeats its name and `nil` drops its item. Names are the coding
  /// keys, those of a dictionary in alphabetical order. `Data` is written in Base64, `Decimal` and
  /// `URL` as text.
  ///
  /// - Parameters:
  ///   - value: A value that encodes a keyed container: a struct, or a dictionary.
  ///   - dates: How dates are written; by default as in ISO 8601, in UTC and whole seconds.
  /// - Throws: `EncodingError` for what has no standard form in a query: a nested object, an
  ///   array in an array, a number that is not finite; and for an error of the value's own.
  public init(encoding value: some Encodable, dates: JSONEncoder.DateEncodingStrategy = .iso8601)
    throws(EncodingError)
  {
    let encoder = QueryEncoder(dates: dates)
    do {
      try value.encode(to: encoder)
    } catch EncodingError.invalidValue(_, let context) {
      throw .unsupported(context.codingPath, context.debugDescription)
    } catch {
      throw .unsupported([], "\(error)")
    }
    guard value is any KeyedCollection else {
      self.init(encoder.items.values)
      return
    }
    // A dictionary's order differs from run to run.
    let sorted = encoder.items.values.enumerated().sorted {
      ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }
    self.init(sorted.map(\.element))
  }
}

private protocol KeyedCollection {}
extension Dictionary: KeyedCollection {}

extension EncodingError {
  /// Returns the error for a value that has no form in a query, without the value, which may be a secret.
  static func unsupported(_ path: [any CodingKey], _ reason: String) -> EncodingError {
    .invalidValue(Redaction.mask, Context(codingPath: path, debugDescription: reason))
  }
}
