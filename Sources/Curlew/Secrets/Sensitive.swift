/// A secret value: it is sent, but appears in no log, error, recording or description.
public struct Sensitive: Sendable, Hashable {
  /// The secret itself.
  public let value: String

  /// Marks a text as secret.
  public init(_ value: String) {
    self.value = value
  }
}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A mask instead of the secret.
  public var description: String { Redaction.mask }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the mask.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
