import CurlewScreens
import Synchronization
import Testing

/// Runs a system in different orders, and shrinks an order that breaks a promise.
struct Explorer<System: Explorable> {
  let make: () -> System
  let script: (System) -> Void
  let events: @Sendable (System) -> [ExplorationStep]
  let properties: [ExplorationProperty<System>]
  let steps: Int
  let limit: Int
  let seed: UInt64
  private let space = OrderSpace()

  init(
    make: @escaping () -> System, script: @escaping (System) -> Void,
    events: @escaping @Sendable (System) -> [ExplorationStep],
    properties: [ExplorationProperty<System>], steps: Int, limit: Int, seed: UInt64
  ) {
    (self.make, self.script, self.events, self.properties) = (make, script, events, properties)
    (self.steps, self.limit, self.seed) = (steps, limit, seed)
  }

  /// A finished run.
  private struct Outcome {
    let run: ExplorationRun
    var problem: String?
    /// The code of each step with the changes of the state, if they were recorded.
    let timeline: [(code: String, changes: [String])]
    /// The last state.
    let last: System.State
  }

  func explore() -> Exploration {
    var (runs, requests, bytes, orders) = (0, [String: Int](), 0, [Double]())
    var failing: Outcome?
    func add(_ outcome: Outcome) {
      runs += 1
      requests.merge(outcome.run.requests, uniquingKeysWith: max)
      bytes = max(bytes, outcome.run.bytes)
      if outcome.problem != nil { failing = outcome }
    }
    let first = run([], search, isRecorded: true)
    add(first)
    if failing == nil, let difference = difference(from: first) {
      return Exploration(
        runs: runs, isComplete: false, requests: requests, bytes: bytes,
        failure: difference, order: [], description: "an order that differs in two runs")
    }
    while failing == nil, runs < (limit + 1) / 2, let order = space.next() {
      add(run(order, search))
    }
    let (systematic, isComplete) = (runs, space.isEmpty && failing == nil)
    // As many as before, so that the time at most doubles.
    for number in 0..<min(limit - runs, max(100, systematic)) where failing == nil {
      let outcome = run([], .random(steps: 5 * steps, counted: steps), seed: seed &+ UInt64(number))
      orders.append(outcome.run.orders)
      add(outcome)
    }
    let random = failing == nil ? runs - systematic : 0
    let about = Int(orders.reduce(0, +) / Double(max(1, orders.count)))
    let whole =
      isComplete
      ? "all orders of \(steps) steps (\(systematic) runs)"
      : "\(systematic) of about \(max(about, systematic)) orders of \(steps) steps"
    let shortest = failing.map { shrink($0) }
    return Exploration(
      runs: runs, isComplete: isComplete, requests: requests, bytes: bytes,
      failure: shortest.map(report),
      order: shortest?.run.performed.map(\.code) ?? [],
      description: "\(whole), and \(random) random orders from seed \(seed)")
  }

  private var search: ExplorationRun.Mode { .search(space, steps: steps) }

  // MARK: Runs

  private func run(
    _ plan: [OrderedStep], _ mode: ExplorationRun.Mode, seed: UInt64 = 0, isRecorded: Bool = false,
    comparesOrders: Bool = true
  ) -> Outcome {
    let run = ExplorationRun(plan, mode, seed: seed)
    var timeline: [(code: String, changes: [String])] = []
    var last: System.State?
    var overtaking: [Overtaking] = []
    withIssues(of: run) {
      run.call {
        let system = make()
        let changes = Changes()
        run.begin(subject(system, run, isRecorded ? changes : nil))
        script(system)
        run.finish()
        last = system.state
        overtaking = (system as? any ResultOrder)?.overtaking ?? []
        timeline = zip(run.performed, changes.all.withLock { $0 }).map { ($0.code, $1) }
      }
      run.end()
    }
    var outcome = Outcome(run: run, problem: run.problem, timeline: timeline, last: last!)
    if outcome.problem == nil, comparesOrders {
      // The results in the planned order were compared when it was shorter.
      let isSearch = if case .search = mode { true } else { false }
      outcome.problem = problem(
        of: overtaking.filter { !isSearch || $0.older >= plan.count }, in: run.performed)
    }
    return outcome
  }

  /// The changes of the state by each step.
  private final class Changes: Sendable {
    let all = Mutex<[[String]]>([])
  }

  private func subject(
    _ system: System, _ run: ExplorationRun, _ changes: Changes?
  ) -> ExplorationRun.Subject {
    let state = Mutex(system.state)
    return ExplorationRun.Subject(
      nextSteps: { [events] in system.nextSteps + events(system) },
      situation: { [properties] in
        let lines = ValueText.lines(system.state).map { "\($0.path)=\($0.text)" }
        let models = properties.map { ValueText.code($0.memory(run)) }
        return (lines + models + [system.pendingWork, run.pendingWork]).joined(separator: "\n")
      },
      check: { [properties] step in
        let after = system.state
        let before = state.withLock { state in
          defer { state = after }
          return state
        }
        if step != nil, let changes {
          let differences = ValueText.differences(before, after)
          changes.all.withLock { $0.append(differences) }
        }
        let moment = ExplorationProperty.Moment(
          system: system, before: before, after: after, step: step, run: run)
        for property in properties {
          if let problem = property.problem(moment) { return problem }
        }
        return system.problem(isAtRest: step == nil)
      })
  }

  /// Adds the issues that a body's expectations record to a run's problems instead of the test's issues.
  private func withIssues(of run: ExplorationRun, _ body: () -> Void) {
    guard Test.current != nil else { return body() }
    withKnownIssue(isIntermittent: true) {
      body()
    } matching: { issue in
      run.fail("\(issue)".replacing(" (error)", with: ""))
      return true
    }
  }

  // MARK: Promises about two runs

  /// Returns the first difference of another run of the same order.
  private func difference(from first: Outcome) -> String? {
    let second = run(first.run.performed, .replay, isRecorded: true)
    for (one, other) in zip(first.timeline, second.timeline)
    where one.code != other.code || one.changes != other.changes {
      let changes = [one.changes, other.changes].map { $0.joined(separator: ", ") }
      return
        "\(System.self) is not deterministic: after \(one.code), two runs of one order differ.\n  \(changes[0])\n  \(changes[1])"
    }
    return nil
  }

  /// Returns the description of a result that came after a newer one and changed the last state, so that it depends on
  /// the order of both.
  private func problem(of overtaking: [Overtaking], in order: [OrderedStep]) -> String? {
    let pair = overtaking.first { pair in
      var swapped = order
      swapped.swapAt(pair.newer - 1, pair.older - 1)
      let ends = [order, swapped].map { run($0, .replay, comparesOrders: false).last }
      return !ValueText.changes(ends[0], ends[1]).isEmpty
    }
    return pair.map {
      "The result of \($0.work) replaced the result of work that was started later."
    }
  }

  // MARK: Failures

  /// Returns the shortest order that can be found by leaving out steps.
  private func shrink(_ failing: Outcome) -> Outcome {
    var best = run(failing.run.performed, .replay, isRecorded: true)
    guard best.problem != nil else { return failing }
    var index = best.run.performed.count
    while index > 0 {
      index -= 1
      var order = best.run.performed
      guard index < order.count else { continue }
      order.remove(at: index)
      let shorter = run(order, .replay, isRecorded: true)
      guard shorter.problem != nil, shorter.run.performed.count < best.run.performed.count else {
        continue
      }
      (best, index) = (shorter, shorter.run.performed.count)
    }
    return best
  }

  private func report(_ shortest: Outcome) -> String {
    let problem = shortest.problem ?? ""
    if shortest.timeline.isEmpty { return "\(problem) Another run of this order does not." }
    let count = shortest.run.performed.count
    let lines = shortest.timeline.flatMap { code, changes in
      [code]
        + (code.hasPrefix("responses.") || code.hasPrefix("streams.") ? ["probe.settle()"] : [])
        + changes.map { "// \($0)" }
    }
    return """
      \(problem)
      The shortest order has \(count) step\(count == 1 ? "" : "s"):
        let probe = \(System.self)(<#screen#>)
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      """
  }
}

/// A result that arrived after the result of work that was started later.
struct Overtaking: Sendable {
  let work: String
  /// The numbers of the steps in which the results arrived.
  let newer: Int
  let older: Int
}

/// A system that knows which results arrived after newer ones and changed the same parts of the state.
protocol ResultOrder {
  var overtaking: [Overtaking] { get }
}
