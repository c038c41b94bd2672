public import Foundation

extension Query {
  /// An error that says which value can't be part of a query, without the value, which may be
  /// secret.
  public struct UnsupportedValue: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
    /// Where the value is, such as `filter.since`; empty for the value as a whole.
    public let codingPath: String
    /// The reason why it can't be part of a query.
    public let reason: String

    init(_ path: [any CodingKey], _ reason: String) {
      codingPath = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
      self.reason = reason
    }

    /// A sentence with the coding path and the reason.
    public var description: String {
      "The value\(codingPath.isEmpty ? "" : " at \(codingPath)") can't be part of a query: \(reason)."
    }
    /// The same as ``description``.
    public var errorDescription: String? { description }
  }

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
  ///   - dates: How dates are written.
  /// - Throws: ``UnsupportedValue`` for what has no standard form in a query: a nested object, an
  ///   array in an array, a number that is not finite; and for an error of the value's own.
  public init(encoding value: some Encodable, dates: DateFormat = .iso8601)
    throws(UnsupportedValue)
  {
    let encoder = QueryEncoder(dates: dates)
    do {
      try value.encode(to: encoder)
    } catch let problem as UnsupportedValue {
      throw problem
    } catch EncodingError.invalidValue(_, let context) {
      throw UnsupportedValue(context.codingPath, context.debugDescription)
    } catch {
      throw UnsupportedValue([], "\(error)")
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
