// https://developer.apple.com/documentation/foundation/data
public struct Data: Sendable, Hashable, Codable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection
{
  public typealias Index = Int
  public typealias Element = UInt8
  public typealias SubSequence = Data
  public init() {}
  public init(count: Int) {}
  public init(capacity: Int) {}
  public init(repeating repeatedValue: UInt8, count: Int) {}
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init(contentsOf url: URL, options: Data.ReadingOptions = []) throws {}
  public init?(base64Encoded base64String: String, options: Data.Base64DecodingOptions = []) {}
  public var count: Int {
    get { 0 }
    set {}
  }
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func append(_ other: Data) {}
  public mutating func append(_ buffer: UnsafeBufferPointer<UInt8>) {}
  public mutating func append(contentsOf bytes: [UInt8]) {}
  public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
  where C.Element == UInt8 {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
  public mutating func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) rethrows -> R { try body(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
  public func write(to url: URL, options: Data.WritingOptions = []) throws {}
  public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String { "" }
  public func subdata(in range: Range<Int>) -> Data { self }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mappedIfSafe = ReadingOptions(rawValue: 1)
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let lineLength76Characters = Base64EncodingOptions(rawValue: 2)
    public static let endLineWithLineFeed = Base64EncodingOptions(rawValue: 32)
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ignoreUnknownCharacters = Base64DecodingOptions(rawValue: 1)
  }
}

// https://developer.apple.com/documentation/foundation/date
public typealias TimeInterval = Double
public struct Date: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  private var time: Double
  public init() { time = 0 }
  public init(timeIntervalSince1970: TimeInterval) { time = timeIntervalSince1970 }
  public init(timeIntervalSinceNow: TimeInterval) { time = timeIntervalSinceNow }
  public init(timeIntervalSinceReferenceDate: TimeInterval) { time = timeIntervalSinceReferenceDate }
  public init(timeInterval: TimeInterval, since date: Date) { time = timeInterval }
  public var timeIntervalSince1970: TimeInterval { time }
  public var timeIntervalSinceNow: TimeInterval { time }
  public var timeIntervalSinceReferenceDate: TimeInterval { time }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { self }
  public static let distantPast = Date()
  public static let distantFuture = Date()
  public static func < (lhs: Date, rhs: Date) -> Bool { lhs.time < rhs.time }
  public static func + (lhs: Date, rhs: TimeInterval) -> Date { lhs }
  public static func - (lhs: Date, rhs: TimeInterval) -> Date { lhs }
  public static func += (lhs: inout Date, rhs: TimeInterval) {}
  public static func -= (lhs: inout Date, rhs: TimeInterval) {}
  public var description: String { "" }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public func formatted(_ format: ISO8601FormatStyle) -> String { "" }

  // https://developer.apple.com/documentation/foundation/date/iso8601formatstyle
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public struct ISO8601FormatStyle: Sendable, Hashable, Codable {
    public init(
      dateSeparator: DateSeparator = .dash, dateTimeSeparator: DateTimeSeparator = .standard,
      timeZone: TimeZone = .gmt
    ) {}
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public init(includingFractionalSeconds: Bool, timeZone: TimeZone = .gmt) {}
    public enum DateSeparator: String, Codable, Sendable { case dash = "-", omitted = "" }
    public enum DateTimeSeparator: String, Codable, Sendable { case space = " ", standard = "'T'" }
    public func format(_ value: Date) -> String { "" }
    public func year() -> Self { self }
    public func month() -> Self { self }
    public func day() -> Self { self }
    public static var iso8601: Self { Self() }
    public func parse(_ value: String) throws -> Date { Date() }
  }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public func ISO8601Format(_ style: ISO8601FormatStyle = .init())
    -> String
  { "" }

  // https://developer.apple.com/documentation/foundation/date/formatstyle
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public struct FormatStyle: Sendable, Hashable, Codable {
    public init(date: DateStyle? = nil, time: TimeStyle? = nil, locale: Locale = .current) {}
    public var timeZone = TimeZone.gmt
    public struct DateStyle: Sendable, Hashable, Codable { public static let long = DateStyle() }
    public struct TimeStyle: Sendable, Hashable, Codable { public static let omitted = TimeStyle() }
  }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public func formatted(_ format: FormatStyle) -> String { "" }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public static var now: Date { Date() }
}

// https://developer.apple.com/documentation/foundation/uuid
public struct UUID: Sendable, Hashable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString string: String) {}
  public init(uuid: uuid_t) {}
  public var uuid: uuid_t { (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
  public var uuidString: String { "" }
  public var description: String { "" }
}

// https://developer.apple.com/documentation/darwin/uuid_t
public typealias uuid_t = (
  UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
  UInt8, UInt8
)

// https://developer.apple.com/documentation/foundation/decimal
public struct Decimal: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  public init() {}
  public init?(string: String, locale: Locale? = nil) {}
  public init(_ value: Int64) {}
  public var isSignMinus: Bool { false }
  public var magnitude: Decimal { self }
  public var description: String { "" }
  public static func < (lhs: Decimal, rhs: Decimal) -> Bool { false }
}

// https://developer.apple.com/documentation/foundation/locale
public struct Locale: Sendable, Hashable, Codable {
  public init(identifier: String) {}
  public static var current: Locale { Locale(identifier: "") }
}

// https://developer.apple.com/documentation/foundation/timezone
public struct TimeZone: Sendable, Hashable, Codable {
  public init?(secondsFromGMT seconds: Int) {}
  public static var gmt: TimeZone { TimeZone(secondsFromGMT: 0)! }
}

// https://developer.apple.com/documentation/foundation/characterset
public struct CharacterSet: Sendable, Hashable {
  init() {}
  public init(charactersIn string: String) {}
  public static var whitespaces: CharacterSet { CharacterSet() }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
}

// https://developer.apple.com/documentation/swift/stringprotocol
extension StringProtocol {
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func range<T: StringProtocol>(of aString: T, options: String.CompareOptions = []) -> Range<Index>? { nil }
  public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
  public var removingPercentEncoding: String? { nil }
  public var capitalized: String { "" }
  public var localizedCapitalized: String { "" }
  public var decomposedStringWithCanonicalMapping: String { "" }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { [] }
}
extension String {
  public struct Encoding: Sendable, Hashable {
    public static let utf8 = Encoding()
    public static let isoLatin1 = Encoding()
    // developer.apple.com/documentation/swift/string/encoding
    public static let isoLatin2 = Encoding()
    public static let utf16 = Encoding()
    public static let utf16BigEndian = Encoding()
    public static let utf16LittleEndian = Encoding()
    public static let utf32 = Encoding()
    public static let utf32BigEndian = Encoding()
    public static let utf32LittleEndian = Encoding()
    public init(rawValue: UInt) {}
    init() {}
  }
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = CompareOptions(rawValue: 1)
    public static let anchored = CompareOptions(rawValue: 8)
    public static let diacriticInsensitive = CompareOptions(rawValue: 128)
  }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init?(data: Data, encoding: Encoding) { nil }
  public init?<Bytes: Sequence>(bytes: Bytes, encoding: Encoding) where Bytes.Element == UInt8 { nil }
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
}
