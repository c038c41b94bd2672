/// Who a request is made for, such as a screen's work; it appears in events, logs and traces.
///
/// A screen's work sets it. Other code may set its own:
///
/// ```swift
/// try await Initiator.$current.withValue(Initiator("nightly import")) {
///   try await client.send(Catalogue.all)
/// }
/// ```
public struct Initiator: Sendable {
  /// The initiator of the requests that the current task makes; `nil` if nothing has set one.
  @TaskLocal public static var current: Initiator?

  /// The type of the screen.
  private let screen: Any.Type?
  /// A name, from which a text is made only when somebody reads it.
  private let name: any CustomStringConvertible & Sendable
  /// The run of the screen's work; `nil` when nobody listens to its requests.
  package let run: Run?

  /// A run of work, and the listener to its requests.
  package struct Run: Sendable {
    package let number: UInt64
    package let listener: any RequestListener

    package init(_ number: UInt64, _ listener: any RequestListener) {
      (self.number, self.listener) = (number, listener)
    }
  }

  /// The visitor whose screen's work it is, an opaque name; `nil` where no inspector listens, or none is known yet.
  ///
  /// A request that several share, coalesced or cached, has that of the first.
  public var visitor: String? { run?.listener.visitor }

  /// Creates an initiator with a name.
  public init(_ name: String) {
    (screen, self.name, run) = (nil, name, nil)
  }

  /// Creates the initiator of a screen's work.
  package init(
    _ name: any CustomStringConvertible & Sendable, of screen: Any.Type, run: Run? = nil
  ) {
    (self.screen, self.name, self.run) = (screen, name, run)
  }
}

extension Initiator: Hashable, CustomStringConvertible {
  /// The name; for a screen's work the type of the screen and the name of the work:
  /// `Search<Issue>/search`.
  public var description: String { (screen.map { "\($0)/" } ?? "") + name.description }

  /// Returns whether two initiators have the same description.
  public static func == (one: Self, other: Self) -> Bool { one.description == other.description }

  /// Hashes the description.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
