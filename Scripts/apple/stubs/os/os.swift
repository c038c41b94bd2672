// https://developer.apple.com/documentation/os/logger
public struct Logger: Sendable {
  public init(subsystem: String, category: String) {}
  public func log(level: OSLogType, _ message: OSLogMessage) {}
  public func debug(_ message: OSLogMessage) {}
}
public struct OSLogType: Equatable, RawRepresentable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let `default` = OSLogType(rawValue: 0)
  public static let info = OSLogType(rawValue: 1)
  public static let debug = OSLogType(rawValue: 2)
  public static let error = OSLogType(rawValue: 16)
}
public struct OSLogMessage: ExpressibleByStringInterpolation {
  public init(stringInterpolation: OSLogInterpolation) {}
  public init(stringLiteral value: String) {}
}
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {}
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {}
}
public struct OSLogStringAlignment {
  public static var none: OSLogStringAlignment { OSLogStringAlignment() }
}
public struct OSLogIntegerFormatting {
  public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
}
public struct OSLogPrivacy: Sendable {
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
}

// https://developer.apple.com/documentation/os/ossignposter
public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}
  public var isEnabled: Bool { true }
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata
  ) {}
}
public typealias SignpostMetadata = OSLogMessage
public struct OSSignpostID: Sendable {
  public init(_ value: UInt64) {}
  public static let exclusive = OSSignpostID(0)
}
public class OSSignpostIntervalState {
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState() }
}
