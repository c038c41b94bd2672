/// A system that ``explore(_:events:checking:steps:runs:seed:sourceLocation:script:)`` runs in different orders of steps:
/// a screen's probe, or several probes with one clock.
public protocol Explorable<State>: SendableMetatype {
  /// The type of the state.
  associatedtype State: SendableMetatype

  /// The current state.
  var state: State { get }
  /// The steps that can happen next without the test's script, such as a timer's end; each has different code.
  var nextSteps: [ExplorationStep] { get }
  /// A text of everything but the state that determines what happens next, such as the names of running work.
  var pendingWork: String { get }
  /// The code with which a printed test creates the system, and with which it lets a response take effect.
  static var code: (creating: String, settling: String) { get }

  /// Ends a step: runs what can run without time passing, beside the work on executors.
  func endStep() async throws
  /// Returns the description of a broken promise; `nil` if there is none.
  ///
  /// - Parameter isAtRest: Whether all responses have arrived, and nothing can happen next.
  func problem(isAtRest: Bool) -> String?
}

extension Explorable {
  /// The code of a probe.
  public static var code: (creating: String, settling: String) {
    ("let probe = \(Self.self)(<#screen#>)", "probe.settle()")
  }

  /// Does nothing.
  public func endStep() async throws {}

  /// Returns `nil`.
  public func problem(isAtRest: Bool) -> String? { nil }
}

/// A step of a system under exploration.
public struct ExplorationStep {
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
  /// A closure that performs the step without suspension; `nil` if it may suspend.
  let performNow: (() -> Void)?
  let perform: () async throws -> Void

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - code: The Swift code of the step in a test, which identifies it.
  ///   - kind: What the step does.
  ///   - perform: A closure that performs the step.
  public init(_ code: String, _ kind: Kind = .other, perform: @escaping () -> Void = {}) {
    (self.code, self.kind, performNow, self.perform) = (code, kind, perform, perform)
  }

  /// Creates a step of an asynchronous system, such as a live page.
  ///
  /// - Parameters:
  ///   - code: The Swift code of the step in a test, which identifies it.
  ///   - kind: What the step does.
  ///   - perform: A closure that performs the step.
  public init(
    _ code: String, _ kind: Kind = .other, awaiting perform: @escaping () async throws -> Void
  ) {
    (self.code, self.kind, performNow, self.perform) = (code, kind, nil, perform)
  }

  /// Lets an exploration perform other steps before this step of a test's script; returns whether the test performs it.
  public func comesNext() async -> Bool {
    await ExplorationRun.current?.order?.precede(self) ?? true
  }

  /// Whether the step leads to rest.
  var isDefault: Bool {
    switch kind {
    case .response, .cancellation, .progress: true
    case .event, .failure, .other: false
    }
  }
}
