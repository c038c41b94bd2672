import Foundation

/// An error that a transport throws when a connection or a response fails.
///
/// The client reports it as a ``Client/TransportFailure`` of the same kind.
///
/// ```swift
/// throw TransportError(.refused, reason: "connection refused (192.0.2.1:443)")
/// ```
public struct TransportError: Error, Hashable {
  /// The kind of the failure.
  public let kind: Client.TransportFailure.Kind
  /// A short description for a developer's log.
  ///
  /// The client masks the request's secrets in it; other secrets don't belong here.
  public let reason: String

  /// Creates an error of a kind.
  public init(_ kind: Client.TransportFailure.Kind, reason: String) {
    (self.kind, self.reason) = (kind, reason)
  }
}

extension TransportError: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}

extension TransportError {
  /// Classifies any error that a transport or a body threw.
  init(_ error: any Error) {
    switch error {
    case let error as TransportError: self = error
    // Only the description: the error's `userInfo` contains whole URLs.
    case let error as URLError: self.init(error.kind, reason: error.localizedDescription)
    default: self.init(.other, reason: "\(error)")
    }
  }
}

extension TransportError {
  /// The error when two tasks read a body, which can be iterated once.
  package static let secondReader = TransportError(
    .other, reason: "another task reads the response's body")
}
