// https://developer.apple.com/documentation/foundation/jsondecoder
open class JSONDecoder: @unchecked Sendable {
  public init() {}
  open var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
  open var dataDecodingStrategy: DataDecodingStrategy = .base64
  open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
  open var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
  open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  open var allowsJSON5 = false
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  open var assumesTopLevelDictionary = false
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
  public enum DateDecodingStrategy: Sendable {
    case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601
    case formatted(DateFormatter)
    @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }
  public enum DataDecodingStrategy: Sendable {
    case deferredToData, base64
    @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
  }
  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public enum KeyDecodingStrategy: Sendable {
    case useDefaultKeys, convertFromSnakeCase
    @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }
}

// https://developer.apple.com/documentation/foundation/jsonencoder
open class JSONEncoder: @unchecked Sendable {
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
  open func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }
  public enum DateEncodingStrategy: Sendable {
    case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601
    case formatted(DateFormatter)
    @preconcurrency case custom(@Sendable (Date, any Encoder) throws -> Void)
  }
}

// https://developer.apple.com/documentation/foundation/dateformatter
open class Formatter: NSObject {}
open class DateFormatter: Formatter, @unchecked Sendable {
  open var dateFormat: String!
  open var locale: Locale!
  open func date(from string: String) -> Date? { nil }
  open func string(from date: Date) -> String { "" }
}

// https://developer.apple.com/documentation/foundation/jsonserialization
open class JSONSerialization: NSObject {
  open class func jsonObject(with data: Data, options opt: ReadingOptions = []) throws -> Any { 0 }
  open class func data(withJSONObject obj: Any, options opt: WritingOptions = []) throws -> Data {
    Data()
  }
  open class func isValidJSONObject(_ obj: Any) -> Bool { false }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = WritingOptions(rawValue: 1)
    public static let sortedKeys = WritingOptions(rawValue: 2)
    public static let fragmentsAllowed = WritingOptions(rawValue: 4)
    public static let withoutEscapingSlashes = WritingOptions(rawValue: 8)
  }
}
