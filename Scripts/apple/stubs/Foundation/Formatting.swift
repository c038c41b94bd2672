// https://developer.apple.com/documentation/foundation/formatstyle
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public protocol FormatStyle<FormatInput, FormatOutput>: Codable, Hashable {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
  func locale(_ locale: Locale) -> Self
}

// https://developer.apple.com/documentation/foundation/integerformatstyle and swift/binaryinteger
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct IntegerFormatStyle<Value: BinaryInteger>: FormatStyle, Sendable {
  public func format(_ value: Value) -> String { "" }
  public func locale(_ locale: Locale) -> Self { self }
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension FormatStyle where Self == IntegerFormatStyle<Int> { public static var number: Self { fatalError() } }
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension BinaryInteger {
  public func formatted() -> String { "" }
  public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput == Self { fatalError() }
  public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput: BinaryInteger { fatalError() }
}

// https://developer.apple.com/documentation/foundation/floatingpointformatstyle and swift/binaryfloatingpoint
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct FloatingPointFormatStyle<Value: BinaryFloatingPoint>: FormatStyle, Sendable {
  public typealias Configuration = NumberFormatStyleConfiguration
  public func format(_ value: Value) -> String { "" }
  public func locale(_ locale: Locale) -> Self { self }
  public func precision(_ p: Configuration.Precision) -> Self { self }
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum NumberFormatStyleConfiguration {
  public struct Precision: Codable, Hashable, Sendable {
    public static func fractionLength(_ length: Int) -> Self { Self() }
  }
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension FormatStyle where Self == FloatingPointFormatStyle<Double> { public static var number: Self { fatalError() } }
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension BinaryFloatingPoint {
  public func formatted() -> String { "" }
  public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput == Self { fatalError() }
  public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput: BinaryFloatingPoint {
    fatalError()
  }
}

// https://developer.apple.com/documentation/swift/duration/unitsformatstyle
@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension Duration {
  public func formatted<S: FormatStyle>(_ v: S) -> S.FormatOutput where S.FormatInput == Duration { fatalError() }
  public struct UnitsFormatStyle: FormatStyle, Sendable {
    public func format(_ duration: Duration) -> String { "" }
    public func locale(_ locale: Locale) -> Self { self }
    public struct Unit: Codable, Hashable, Sendable {
      public static var hours: Unit { Unit() }
      public static var minutes: Unit { Unit() }
      public static var seconds: Unit { Unit() }
    }
    public struct UnitWidth: Codable, Hashable, Sendable {
      public static var abbreviated: UnitWidth { UnitWidth() }
      public static var wide: UnitWidth { UnitWidth() }
    }
    public struct ZeroValueUnitsDisplayStrategy: Codable, Hashable, Sendable {
      public static var hide: ZeroValueUnitsDisplayStrategy { ZeroValueUnitsDisplayStrategy() }
    }
    public struct FractionalPartDisplayStrategy: Codable, Hashable, Sendable {
      public static var hide: FractionalPartDisplayStrategy { FractionalPartDisplayStrategy() }
    }
  }
}
@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension FormatStyle where Self == Duration.UnitsFormatStyle {
  public static func units(
    allowed units: Set<Duration.UnitsFormatStyle.Unit> = [.hours, .minutes, .seconds],
    width: Duration.UnitsFormatStyle.UnitWidth = .abbreviated, maximumUnitCount: Int? = nil,
    zeroValueUnits: Duration.UnitsFormatStyle.ZeroValueUnitsDisplayStrategy = .hide, valueLength: Int? = nil,
    fractionalPart: Duration.UnitsFormatStyle.FractionalPartDisplayStrategy = .hide
  ) -> Self { fatalError() }
}

// https://developer.apple.com/documentation/swift/sequence/formatted()
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Sequence where Element == String { public func formatted() -> String { "" } }
