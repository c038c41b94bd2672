package import CurlewScreens
import CurlewSupport
import Synchronization

/// Pending calls that a run replies to, such as ``PendingResponses``.
protocol StepSource: AnyObject, Sendable {
  var nextSteps: [ExplorationStep] { get }
  /// The texts of the pending calls.
  var pendingCalls: [String] { get }
  /// Ends all calls.
  func cancelAll()
}

/// A run of a system in one order of steps, as its work on any thread sees it.
package final class ExplorationRun: Sendable {
  private struct State {
    var sources: [any StepSource] = []
    var executors: [TestExecutor] = []
    var runners: [@Sendable () -> (any ObservedRunner)?] = []
    var requests: [String: Int] = [:]
    var bytes = 0
    var step = 0
    var hasFailures = false
    var problem: String?
    var isCut = false
    var respondsAtOnce = false
    var hasEnded = false
  }

  @TaskLocal private static var local: ExplorationRun?
  /// The run of the current test's code, or of the screen's work.
  package static var current: ExplorationRun? {
    local ?? (WorkExecutor.current as? TestExecutor)?.run
  }

  private let state = Mutex(State())
  /// The steps, which only the task of the test performs.
  nonisolated(unsafe) var order: (any StepOrder)?

  /// The number of the last step.
  var step: Int { state.withLock { $0.step } }
  /// Whether a request has failed.
  package var hasFailures: Bool { state.withLock { $0.hasFailures } }

  var problem: String? { state.withLock { $0.problem } }
  /// Whether the order ends before the system is at rest, because an earlier run has been in an equal situation, or the
  /// script can't go on.
  var isCut: Bool { state.withLock { $0.isCut } }
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  var respondsAtOnce: Bool { state.withLock { $0.respondsAtOnce } }
  var requests: [String: Int] { state.withLock { $0.requests } }
  /// The number of bytes in the bodies of stubbed responses.
  var bytes: Int { state.withLock { $0.bytes } }
  var nextSteps: [ExplorationStep] { state.withLock { $0.sources }.flatMap(\.nextSteps) }
  /// The texts of the pending calls.
  var pendingCalls: [String] { state.withLock { $0.sources }.flatMap(\.pendingCalls).sorted() }
  /// The runners that work of the system has created.
  package var runners: [any ObservedRunner] { state.withLock { $0.runners }.compactMap { $0() } }

  /// Calls a closure that makes a system, and performs the steps.
  func call(_ body: () async -> Void) async {
    await Self.$local.withValue(self, operation: body)
  }

  /// Calls a closure, during which responses arrive at once.
  package func respondingAtOnce<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    state.withLock { $0.respondsAtOnce = true }
    defer { state.withLock { $0.respondsAtOnce = false } }
    return try await body()
  }

  /// Ends the run's work when the system has been released.
  func end() {
    let (sources, executors) = state.withLock { state in
      state.hasEnded = true
      defer { (state.sources, state.executors) = ([], []) }
      return (state.sources, state.executors)
    }
    Self.$local.withValue(self) {
      for source in sources { source.cancelAll() }
      for executor in executors { executor.drain() }
    }
  }

  func drain() { for executor in state.withLock({ $0.executors }) { executor.drain() } }

  /// Adds a source of steps; returns whether it is new to the run.
  func add(_ source: any StepSource) -> Bool {
    state.withLock { state in
      if state.sources.contains(where: { $0 === source }) { return false }
      state.sources.append(source)
      return true
    }
  }

  func add(_ executor: TestExecutor) { state.withLock { $0.executors.append(executor) } }

  func add(_ runner: any ObservedRunner) {
    state.withLock { $0.runners.append { [weak runner] in runner } }
  }

  func count(request: String) {
    state.withLock { if !$0.respondsAtOnce { $0.requests[request, default: 0] += 1 } }
  }

  func count(bytes: Int) { state.withLock { if !$0.respondsAtOnce { $0.bytes += bytes } } }

  func record(_ step: ExplorationStep, as number: Int) {
    state.withLock { state in
      state.step = number
      if case .failure = step.kind { state.hasFailures = true }
    }
  }

  func cut() { state.withLock { $0.isCut = true } }

  /// Records a broken promise, the first one only.
  package func fail(_ problem: String) {
    state.withLock { state in
      if state.problem == nil, !state.isCut, !state.hasEnded { state.problem = problem }
    }
  }
}
