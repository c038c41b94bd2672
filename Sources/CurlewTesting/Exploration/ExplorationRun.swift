import CurlewSupport
import Synchronization

/// A step of an order, by its code.
struct OrderedStep: Hashable, Sendable {
  let code: String
  /// Whether the test's script performs the step.
  var isScript = false
}

/// Pending calls that the run replies to, such as ``PendingResponses``.
protocol StepSource: AnyObject, Sendable {
  var nextSteps: [ExplorationStep] { get }
  /// The texts of the pending calls.
  var pendingCalls: [String] { get }
  /// Ends all calls.
  func cancelAll()
}

/// A run of a system in one order of steps: a planned order, then the order that the mode determines.
final class ExplorationRun: Sendable {
  enum Mode: Sendable {
    /// The first possible step each time; the other steps are added to the space, while the order has fewer steps.
    case search(OrderSpace, steps: Int)
    /// Steps at random until the order has this many steps; of the first steps, the possible orders are counted.
    case random(steps: Int, counted: Int)
    /// The planned steps alone, as far as they are possible; other steps of the script are left out.
    case replay
  }

  /// The system as the run sees it.
  struct Subject: Sendable {
    let nextSteps: @Sendable () -> [ExplorationStep]
    /// Returns the text that is equal in equal situations.
    let situation: @Sendable () -> String
    /// Checks the promises after a step, or at the end if there is none.
    let check: @Sendable (ExplorationStep?) -> String?
  }

  private struct State {
    var plan: ArraySlice<OrderedStep>
    var random: OrderGenerator
    var subject: Subject?
    var sources: [any StepSource] = []
    var executors: [TestExecutor] = []
    var performed: [OrderedStep] = []
    var last: ExplorationStep?
    var scriptCount = 0
    /// The number of steps before those that only lead to rest.
    var plannedCount = 0
    var requests: [String: Int] = [:]
    /// The number of bytes in the bodies of stubbed responses.
    var bytes = 0
    /// The product of the numbers of possible steps.
    var orders = 1.0
    var problem: String?
    var isPerforming = false
    /// Whether the run has reached a situation that was visited before.
    var isCut = false
    var hasEnded = false
  }

  /// The most steps of an order after the explored steps until it comes to rest.
  private static let restLimit = 100

  @TaskLocal private static var local: ExplorationRun?
  /// The run of the current test's code, or of the screen's work.
  static var current: ExplorationRun? { local ?? (WorkExecutor.current as? TestExecutor)?.run }

  private let mode: Mode
  private let state: Mutex<State>

  init(_ plan: [OrderedStep], _ mode: Mode, seed: UInt64) {
    self.mode = mode
    state = Mutex(State(plan: plan[...], random: OrderGenerator(seed: seed)))
  }

  var performed: [OrderedStep] { state.withLock { $0.performed } }
  var problem: String? { state.withLock { $0.problem } }
  var isCut: Bool { state.withLock { $0.isCut } }
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  var requests: [String: Int] { state.withLock { $0.requests } }
  var bytes: Int { state.withLock { $0.bytes } }
  var orders: Double { state.withLock { $0.orders } }
  /// The texts of the pending calls, and the number of the script's steps.
  var pendingWork: String {
    let (sources, count) = state.withLock { ($0.sources, $0.scriptCount) }
    return "\(count) \(sources.flatMap(\.pendingCalls).sorted())"
  }

  /// Calls a closure that makes a system, begins, performs a script and finishes.
  func call(_ body: () -> Void) { Self.$local.withValue(self, operation: body) }

  /// Begins the steps of a system.
  func begin(_ subject: Subject) { state.withLock { $0.subject = subject } }

  /// Ends the run's work when the system has been released.
  func end() {
    let (sources, executors) = state.withLock { state in
      state.hasEnded = true
      defer { (state.sources, state.executors, state.subject) = ([], [], nil) }
      return (state.sources, state.executors)
    }
    Self.$local.withValue(self) {
      for source in sources { source.cancelAll() }
      for executor in executors { executor.drain() }
    }
  }

  /// Adds a source of steps; returns whether it is new to the run.
  func add(_ source: any StepSource) -> Bool {
    state.withLock { state in
      if state.sources.contains(where: { $0 === source }) { return false }
      state.sources.append(source)
      return true
    }
  }

  func add(_ executor: TestExecutor) { state.withLock { $0.executors.append(executor) } }

  func count(request: String) { state.withLock { $0.requests[request, default: 0] += 1 } }

  func count(bytes: Int) { state.withLock { $0.bytes += bytes } }

  /// Records a broken promise, the first one only.
  func fail(_ problem: String) {
    state.withLock { state in
      if state.problem == nil, !state.isCut, !state.hasEnded { state.problem = problem }
    }
  }

  // MARK: Steps

  /// Performs the steps that come before the script's next step; returns whether the script performs its step.
  func precede(_ step: () -> ExplorationStep) -> Bool {
    if state.withLock({ $0.isPerforming || $0.hasEnded || $0.subject == nil }) { return true }
    let own = Option(step: step(), isScript: true)
    while let option = next(own) {
      if option.name.isScript { return true }
      perform(option.step)
    }
    return false
  }

  /// Performs the steps after the script until the system is at rest.
  func finish() {
    while let step = next(nil)?.step { perform(step) }
    let isChecked = state.withLock { state in
      // A property may perform steps of its own.
      state.isPerforming = true
      return state.problem == nil && !state.isCut
    }
    if isChecked, let problem = subject?.check(nil) { fail(problem) }
  }

  private var subject: Subject? { state.withLock { $0.subject } }

  private func perform(_ step: ExplorationStep) {
    state.withLock { $0.isPerforming = true }
    step.perform()
    for executor in state.withLock({ $0.executors }) { executor.drain() }
    state.withLock { $0.isPerforming = false }
  }

  /// A possible step.
  private struct Option {
    let step: ExplorationStep
    var isScript = false

    var name: OrderedStep { OrderedStep(code: step.code, isScript: isScript) }
    var isDefault: Bool { isScript || step.isDefault }
  }

  /// Returns the next step; `nil` if the script leaves out its step or, without a step of the script, if there is none.
  private func next(_ script: Option?) -> Option? {
    guard let subject else { return nil }
    if let last = state.withLock({ $0.last }), let problem = subject.check(last) { fail(problem) }
    let (isOver, sources) = state.withLock { ($0.problem != nil || $0.isCut, $0.sources) }
    if isOver { return nil }
    let free = (sources.flatMap(\.nextSteps) + subject.nextSteps()).map { Option(step: $0) }
    let options =
      (script.map { [$0] } ?? []) + free.filter(\.isDefault) + free.filter { !$0.isDefault }
    let option = planned(options, script) ?? chosen(options, script)
    if let option {
      state.withLock { state in
        state.performed.append(option.name)
        state.last = option.step
        if !option.isDefault || option.isScript || !state.plan.isEmpty {
          state.plannedCount = state.performed.count
        }
        if option.isScript { state.scriptCount += 1 }
      }
    }
    return option
  }

  private var isSearch: Bool { if case .search = mode { true } else { false } }

  private func planned(_ options: [Option], _ script: Option?) -> Option? {
    while let name = state.withLock({ $0.plan.first }) {
      if let option = options.first(where: { $0.name == name }) {
        state.withLock { _ = $0.plan.removeFirst() }
        return option
      }
      if isSearch {
        fail("Two runs of one order differ: \(name.code) was possible in the first run.")
        return nil
      }
      // A step of the script that comes later: the current step is left out.
      if name.isScript, script != nil { return nil }
      state.withLock { _ = $0.plan.removeFirst() }
    }
    return nil
  }

  private func chosen(_ options: [Option], _ script: Option?) -> Option? {
    let (count, isPlanned, hasProblem) = state.withLock {
      ($0.performed.count, !$0.plan.isEmpty, $0.problem != nil)
    }
    if isPlanned || hasProblem { return nil }
    let first = options.first.flatMap { $0.isDefault ? $0 : nil }
    var limit = Self.restLimit
    switch mode {
    case .replay: if script != nil { return nil }
    case .search(let space, let steps):
      limit += steps
      if count < steps, let subject {
        let others = options.dropFirst(first == nil ? 0 : 1).map(\.name)
        guard space.visit(subject.situation(), after: performed, others) else {
          state.withLock { $0.isCut = true }
          return nil
        }
      }
    case .random(let steps, let counted):
      limit += steps
      guard count < steps, !options.isEmpty else { break }
      return state.withLock { state in
        if count < counted { state.orders *= Double(options.count) }
        return state.random.pick(options, preferring: options.count { $0.isDefault })
      }
    }
    if first != nil, count > limit + state.withLock({ $0.scriptCount }) {
      fail("The screen does not come to rest: each response leads to another request.")
      // The endless steps are not part of the order.
      state.withLock { $0.performed.removeLast(count - $0.plannedCount) }
      return nil
    }
    return first
  }
}

/// A generator of random numbers determined by its seed (SplitMix64).
struct OrderGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a random element; every second time one of the first elements.
  fileprivate mutating func pick<Element>(_ elements: [Element], preferring first: Int) -> Element {
    let isPreferred = first > 0 && next() % 2 == 0
    return elements[Int(next() % UInt64(isPreferred ? first : elements.count))]
  }
}

/// The orders that have not run yet, and the situations that were visited.
final class OrderSpace: Sendable {
  private let state = Mutex((queue: [[OrderedStep]](), first: 0, visited: [String: Int]()))

  var isEmpty: Bool { state.withLock { $0.first == $0.queue.count } }

  /// Returns the order with the fewest differences from the first order.
  func next() -> [OrderedStep]? {
    state.withLock { state in
      guard state.first < state.queue.count else { return nil }
      defer {
        state.queue[state.first] = []
        state.first += 1
      }
      return state.queue[state.first]
    }
  }

  /// Adds the orders with another next step; returns whether the situation was not visited after as few steps.
  func visit(_ situation: String, after order: [OrderedStep], _ others: [OrderedStep]) -> Bool {
    state.withLock { state in
      if let count = state.visited[situation], count <= order.count { return false }
      state.visited[situation] = order.count
      state.queue += others.map { order + [$0] }
      return true
    }
  }
}
