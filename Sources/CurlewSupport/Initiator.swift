/// The initiator of a request, such as a screen's work; it appears in events, logs and traces.
///
/// Screens set the initiator of their work. Other code may set its own:
///
/// ```swift
/// try await Initiator.$current.withValue(Initiator("nightly import")) {
///   try await client.send(Catalogue.all)
/// }
/// ```
public struct Initiator: Sendable {
  /// The initiator of the current task's requests; `nil` if no initiator is set.
  @TaskLocal public static var current: Initiator?

  /// The type of the screen.
  private let screen: Any.Type?
  /// The name, whose text is created only when it is read.
  private let name: any CustomStringConvertible & Sendable
  /// The run of the screen's work; `nil` when no listener observes its requests.
  package let run: Run?

  /// A run of work, and the listener for its requests.
  package struct Run: Sendable {
    package let number: UInt64
    package let listener: any RequestListener

    package init(_ number: UInt64, _ listener: any RequestListener) {
      (self.number, self.listener) = (number, listener)
    }
  }

  /// The opaque name of the visitor whose screen makes the request; `nil` without an inspector, or while no visitor
  /// is known.
  ///
  /// A shared request, coalesced or cached, has the visitor of its first initiator.
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
