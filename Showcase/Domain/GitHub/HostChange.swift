public import Foundation

/// A change at a host in two steps: it shows at once, and then the host is asked.
public struct HostChange: Sendable {
  /// Shows the change in the host's ``Updates``; it must not block.
  public let begin: @Sendable () -> Void
  /// Asks the host, once, after ``begin``; when it throws, the change is taken back.
  public let finish: @Sendable () async throws -> Void

  /// Creates a change.
  public init(
    begin: @escaping @Sendable () -> Void, finish: @escaping @Sendable () async throws -> Void
  ) {
    (self.begin, self.finish) = (begin, finish)
  }

  /// A change at a host that is only read: a ``ReadOnlyHost``.
  public static let refused = HostChange(begin: {}, finish: { throw ReadOnlyHost() })
}

/// Says that nothing can be changed at a host from here.
public struct ReadOnlyHost: LocalizedError, Sendable {
  /// Creates the error.
  public init() {}

  /// A sentence for users.
  public var errorDescription: String? {
    "Changes are possible only in the sandbox: at GitHub they would bother somebody."
  }
}

/// Says that a host does not allow a change, and what it says itself.
public struct ChangeRefusal: LocalizedError, Equatable, Sendable {
  /// What can't be changed, a sentence.
  public let change: String
  /// The host's reason.
  public let reason: String

  /// Creates a refusal.
  public init(_ change: String, reason: String) {
    (self.change, self.reason) = (change, reason)
  }

  /// The sentences.
  public var errorDescription: String? {
    "\(change) GitHub says: \(reason.hasSuffix(".") ? reason : reason + ".")"
  }
}
