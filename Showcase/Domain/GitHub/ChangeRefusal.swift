public import Foundation

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
