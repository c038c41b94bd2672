/// A system that ``explore(_:events:checking:steps:runs:seed:sourceLocation:script:)`` runs in different orders of steps:
/// a screen's probe, or several probes with one clock.
public protocol Explorable<State>: Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The current state.
  var state: State { get }
  /// The steps that can happen next without the test's script, such as a timer's end; each has different code.
  var nextSteps: [ExplorationStep] { get }
  /// A text of everything but the state that determines what happens next, such as the names of running work.
  var pendingWork: String { get }

  /// Returns the description of a broken promise; `nil` if there is none.
  ///
  /// - Parameter isAtRest: Whether all responses have arrived, and nothing can happen next.
  func problem(isAtRest: Bool) -> String?
}

extension Explorable {
  /// Returns `nil`.
  public func problem(isAtRest: Bool) -> String? { nil }
}

/// A step of a system under exploration.
public struct ExplorationStep: Sendable {
  /// What a step does.
  public enum Kind: Sendable {
    /// The test sends an event, or does anything else.
    case event(any Sendable)
    /// The response to a request arrives.
    case response(any Sendable)
    /// A request fails.
    case failure(any Sendable)
    /// A cancelled request ends, with an error or with a late response.
    case cancellation(any Sendable)
    /// Something happens that brings the system nearer to rest, such as the end of a waiting time; an order ends when there
    /// is no such step, and no response to wait for.
    case progress
    /// Something else happens, such as a suspension.
    case other
  }

  /// The Swift code of the step in a test, which identifies it.
  public let code: String
  /// What the step does.
  public let kind: Kind
  let perform: @Sendable () -> Void

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - code: The Swift code of the step in a test, which identifies it.
  ///   - kind: What the step does.
  ///   - perform: A closure that performs the step.
  public init(_ code: String, _ kind: Kind = .other, perform: @escaping @Sendable () -> Void = {}) {
    (self.code, self.kind, self.perform) = (code, kind, perform)
  }

  /// Whether the step leads to rest.
  var isDefault: Bool {
    switch kind {
    case .response, .cancellation, .progress: true
    case .event, .failure, .other: false
    }
  }
}
