public import Foundation

/// An optimistic change at a host: it is shown immediately, and then sent to the host.
public struct HostChange: Sendable {
  /// Shows the change in the host's ``Updates``; must not block.
  public let begin: @Sendable () -> Void
  /// Sends the change to the host, once, after ``begin``; if it throws, the change is rolled back.
  public let finish: @Sendable () async throws -> Void

  /// Creates a change.
  public init(
    begin: @escaping @Sendable () -> Void, finish: @escaping @Sendable () async throws -> Void
  ) {
    (self.begin, self.finish) = (begin, finish)
  }

  /// A change at a read-only host; it throws ``ReadOnlyHost``.
  public static let refused = HostChange(begin: {}, finish: { throw ReadOnlyHost() })
}

/// An error thrown for a change at a read-only host.
public struct ReadOnlyHost: LocalizedError, Sendable {
  /// Creates the error.
  public init() {}

  /// A message for users.
  public var errorDescription: String? {
    "Changes are possible only in the sandbox, not on the real GitHub."
  }
}

/// An error thrown if a host rejects a change, with the host's reason.
public struct ChangeRefusal: LocalizedError, Equatable, Sendable {
  /// A sentence that names the rejected change.
  public let change: String
  /// The host's reason.
  public let reason: String

  /// Creates a refusal.
  public init(_ change: String, reason: String) {
    (self.change, self.reason) = (change, reason)
  }

  /// The message, with the host's reason.
  public var errorDescription: String? {
    "\(change) GitHub reports: \(reason.hasSuffix(".") ? reason : reason + ".")"
  }
}
