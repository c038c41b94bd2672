public import Foundation

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
