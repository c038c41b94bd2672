import CurlewScreens

/// A step of an order, by its code.
struct OrderedStep: Hashable, Sendable {
  let code: String
  /// Whether the test's script performs the step.
  var isScript = false
}

/// The order of a run's steps, as the functions of a probe see it.
protocol StepOrder: AnyObject {
  /// Performs the steps that come before the script's next step; returns whether the script performs its step.
  func precede(_ step: () -> ExplorationStep) -> Bool
  func precede(_ step: ExplorationStep) async -> Bool
}

/// The order of a run's steps: the planned steps, then those that the mode determines.
final class SystemOrder<System: Explorable>: StepOrder {
  enum Mode {
    /// The first possible step each time; the other steps are added to the space, while the order has fewer steps.
    case search(OrderSpace)
    /// Steps at random until the order has five times as many steps.
    case random(OrderGenerator)
    /// The planned steps alone, as far as they are possible; other steps of the script are left out.
    case replay
  }

  /// The most steps of an order after the explored steps until it comes to rest.
  private static var restLimit: Int { 100 }

  let system: System
  private let explorer: Explorer<System>
  let run: ExplorationRun
  private var mode: Mode
  private var plan: ArraySlice<OrderedStep>
  private(set) var performed: [OrderedStep] = []
  /// The changes of the state by each step, if they are recorded.
  private(set) var changes: [[String]]?
  /// The product of the numbers of possible steps.
  private(set) var orders = 1.0
  private var state: System.State
  private var last: ExplorationStep?
  private var scriptCount = 0
  /// The number of steps before those that only lead to rest.
  private var plannedCount = 0
  private var isPerforming = false

  init(
    _ system: System, _ explorer: Explorer<System>, _ run: ExplorationRun, _ plan: [OrderedStep],
    _ mode: Mode, isRecorded: Bool
  ) {
    (self.system, self.explorer, self.run, self.mode) = (system, explorer, run, mode)
    (self.plan, state, changes) = (plan[...], system.state, isRecorded ? [] : nil)
  }

  // MARK: Steps

  func precede(_ step: () -> ExplorationStep) -> Bool {
    if isPerforming { return true }
    let own = Option(step: step(), isScript: true)
    while let option = next(own, isAsync: false) {
      if option.isScript { return true }
      isPerforming = true
      option.step.performNow?()
      run.drain()
      isPerforming = false
    }
    return false
  }

  func precede(_ step: ExplorationStep) async -> Bool {
    if isPerforming { return true }
    let own = Option(step: step, isScript: true)
    while let option = next(own) {
      if option.isScript { return true }
      await perform(option.step)
    }
    return false
  }

  /// Performs the steps after the script until the system is at rest.
  func finish() async {
    while let option = next(nil) { await perform(option.step) }
    // A property may perform steps of its own.
    isPerforming = true
    if run.isCut { return }
    for property in explorer.properties where run.problem == nil {
      do { try await property.atRest(system) } catch { run.fail("\(error)") }
    }
    if let problem = system.problem(isAtRest: true) { run.fail(problem) }
  }

  private func perform(_ step: ExplorationStep) async {
    isPerforming = true
    defer { isPerforming = false }
    do {
      try await step.perform()
      run.drain()
      try await system.endStep()
    } catch { run.fail("\(step.code) throws an error: \(error)") }
  }

  /// A possible step.
  private struct Option {
    let step: ExplorationStep
    var isScript = false

    var name: OrderedStep { OrderedStep(code: step.code, isScript: isScript) }
    var isDefault: Bool { isScript || step.isDefault }
  }

  /// Returns the next step; `nil` if the script leaves out its step or, without a step of the script, if there is none.
  private func next(_ script: Option?, isAsync: Bool = true) -> Option? {
    if let step = last {
      last = nil
      check(after: step)
    }
    if run.problem != nil || run.isCut { return nil }
    let free = (run.nextSteps + system.nextSteps + explorer.events(system)).map { Option(step: $0) }
    let options =
      ([script].compactMap(\.self) + free.filter(\.isDefault)
      + free.filter { !$0.isDefault }).filter { isAsync || $0.step.performNow != nil }
    guard let option = planned(options, script) ?? chosen(options, script) else { return nil }
    performed.append(option.name)
    last = option.step
    run.record(option.step, as: performed.count)
    if !option.isDefault || option.isScript || !plan.isEmpty { plannedCount = performed.count }
    if option.isScript { scriptCount += 1 }
    return option
  }

  private func planned(_ options: [Option], _ script: Option?) -> Option? {
    while let name = plan.first {
      if let option = options.first(where: { $0.name == name }) {
        plan.removeFirst()
        return option
      }
      if case .search = mode {
        run.fail("Two runs of one order differ: \(name.code) was possible in the first run.")
        return nil
      }
      // A step of the script that comes later: the current step is left out.
      if name.isScript, script != nil { return nil }
      plan.removeFirst()
    }
    return nil
  }

  private func chosen(_ options: [Option], _ script: Option?) -> Option? {
    if !plan.isEmpty || run.problem != nil { return nil }
    let first = options.first.flatMap { $0.isDefault ? $0 : nil }
    switch mode {
    case .replay: if script != nil { return nil }
    case .search(let space):
      guard performed.count < explorer.steps else { break }
      let others = options.dropFirst(first == nil ? 0 : 1).map(\.name)
      guard space.visit(situation, after: performed, others) else {
        run.cut()
        return nil
      }
    case .random(var generator):
      guard performed.count < 5 * explorer.steps, !options.isEmpty else { break }
      if performed.count < explorer.steps { orders *= Double(options.count) }
      let option = generator.pick(options, preferring: options.count { $0.isDefault })
      mode = .random(generator)
      return option
    }
    if first != nil, performed.count > 5 * explorer.steps + scriptCount + Self.restLimit {
      run.fail("The screen does not come to rest: each response leads to another request.")
      // The endless steps are not part of the order.
      performed.removeLast(performed.count - plannedCount)
      return nil
    }
    return first
  }

  // MARK: States

  /// The text that is equal in equal situations.
  private var situation: String {
    let lines = ValueText.lines(system.state).map { "\($0.path)=\($0.text)" }
    let memories = explorer.properties.map { ValueText.code($0.memory(run)) }
    let work = [system.pendingWork, "\(scriptCount) \(run.pendingCalls)"]
    return (lines + memories + work).joined(separator: "\n")
  }

  private func check(after step: ExplorationStep) {
    let moment = ExplorationProperty.Moment(
      system: system, before: state, after: system.state, step: step, run: run)
    state = moment.after
    if changes != nil { changes?.append(ValueText.differences(moment.before, moment.after)) }
    for property in explorer.properties {
      if let problem = property.problem(moment) { return run.fail(problem) }
    }
    if let problem = system.problem(isAtRest: false) { run.fail(problem) }
  }
}

/// A generator of random numbers determined by its seed (SplitMix64).
struct OrderGenerator: RandomNumberGenerator {
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
final class OrderSpace {
  private var queue: [[OrderedStep]] = []
  private var first = 0
  private var visited: [String: Int] = [:]

  var isEmpty: Bool { first == queue.count }

  /// Returns the order with the fewest differences from the first order.
  func next() -> [OrderedStep]? {
    guard first < queue.count else { return nil }
    defer {
      queue[first] = []
      first += 1
    }
    return queue[first]
  }

  /// Adds the orders with another next step; returns whether the situation was not visited after as few steps.
  func visit(_ situation: String, after order: [OrderedStep], _ others: [OrderedStep]) -> Bool {
    if let count = visited[situation], count <= order.count { return false }
    visited[situation] = order.count
    queue += others.map { order + [$0] }
    return true
  }
}
