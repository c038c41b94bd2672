import CurlewJSON
public import Foundation

/// The items of a URL's query, in order; a name may occur more than once.
///
/// ```swift
/// let query: Query = ["q": text, "page": page, "labels": ["bug", "help"], "api_key": Sensitive(key)]
/// ```
///
/// A `nil` value drops its item, an array repeats its name, and every name and value is percent-encoded
/// (RFC 3986): a space as `%20` and `+` as `%2B`.
public struct Query: Sendable, Hashable {
  /// A name and its value.
  public struct Item: Sendable, Hashable {
    /// The name, without percent-encoding.
    public var name: String
    /// The value, without percent-encoding.
    public var value: String
    /// Whether the value must not appear in logs, errors and recordings.
    var isSensitive: Bool

    /// Creates an item.
    public init(_ name: String, _ value: String, isSensitive: Bool = false) {
      self.name = name
      self.value = value
      self.isSensitive = isSensitive
    }
  }

  /// The items in the order in which they are sent.
  public var items: [Item]

  /// Creates a query of these items.
  public init(_ items: [Item] = []) {
    self.items = items
  }

  /// The percent-encoded text after the `?`; empty when there are no items.
  public var encoded: String {
    var text = ""
    text.reserveCapacity(items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 })
    for item in items {
      if !text.isEmpty { text += "&" }
      PercentEncoding.unreserved.append(item.name, to: &text)
      text += "="
      PercentEncoding.unreserved.append(item.value, to: &text)
    }
    return text
  }
}

extension Query: ExpressibleByDictionaryLiteral {
  /// Creates a query; `nil` drops an item, an array repeats its name.
  public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
    var items: [Item] = []
    items.reserveCapacity(elements.count)
    for (name, value) in elements {
      guard let value else { continue }
      // Types are compared, not cast: a cast takes longer than the rest of the loop.
      let type: any Any.Type = type(of: value)
      let isSensitive = type == Sensitive.self || type == [Sensitive].self
      for text in value.queryValues { items.append(Item(name, text, isSensitive: isSensitive)) }
    }
    self.init(items)
  }
}

extension Query {
  /// Returns the items of a query, followed by the items of another query.
  public static func + (one: Query, other: Query) -> Query { Query(one.items + other.items) }

  /// Returns this query with the items of another query, which replace items of the same names.
  public func merging(_ other: Query) -> Query {
    let names = Set(other.items.map(\.name))
    return Query(items.filter { !names.contains($0.name) } + other.items)
  }
}

extension Query: Described {
  /// The items, with sensitive values masked.
  public var description: String {
    items.map { "\($0.name)=\($0.isSensitive ? Redaction.mask : $0.value)" }.joined(separator: "&")
  }
}

extension Query.Item: Described {
  /// The name and the value, or a mask when the value is sensitive.
  public var description: String { "\(name)=\(isSensitive ? Redaction.mask : value)" }
}

/// A value in a ``Query`` literal.
///
/// An enum with raw values of texts or numbers conforms without code:
///
/// ```swift
/// enum Sort: String, QueryValue { case created, updated }
/// let query: Query = ["sort": Sort.created, "since": date]
/// ```
public protocol QueryValue: Sendable {
  /// The texts to send: a single text, or a text for each element of an array.
  var queryValues: [String] { get }
}

extension QueryValue where Self: CustomStringConvertible {
  /// The value's description.
  public var queryValues: [String] { [description] }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
  /// The texts of the raw value.
  public var queryValues: [String] { rawValue.queryValues }
}

extension QueryValue where Self: RawRepresentable & CustomStringConvertible, RawValue: QueryValue {
  /// The texts of the raw value, not the description, which is for display.
  public var queryValues: [String] { rawValue.queryValues }
}

extension String: QueryValue {}
extension Substring: QueryValue {}
extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Float: QueryValue {}
extension Double: QueryValue {}
extension Decimal: QueryValue {}
extension Bool: QueryValue {}
extension UUID: QueryValue {}

extension URL: QueryValue {
  /// The absolute URL.
  public var queryValues: [String] { [absoluteString] }
}

extension Date: QueryValue {
  /// The date in ISO 8601, in UTC and without fractions of a second: `2026-11-22T17:05:00Z`; empty for a
  /// date outside the years 1 to 9999.
  public var queryValues: [String] {
    -62_135_596_800..<253_402_300_800 ~= timeIntervalSince1970 ? [formatted(.iso8601)] : []
  }
}

extension Array: QueryValue where Element: QueryValue {
  /// The texts of all elements.
  public var queryValues: [String] { flatMap(\.queryValues) }
}

extension Sensitive: QueryValue {
  /// The secret itself, which is sent.
  public var queryValues: [String] { [value] }
}

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
