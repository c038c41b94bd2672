import CurlewScreens
import Testing

/// Runs a system in different orders, and shrinks an order that breaks a promise.
struct Explorer<System: Explorable> {
  let make: () async throws -> System
  let script: (System) async throws -> Void
  let events: (System) -> [ExplorationStep]
  let properties: [ExplorationProperty<System>]
  let steps: Int
  let limit: Int
  let seed: UInt64
  let space = OrderSpace()

  /// A finished run.
  private struct Outcome {
    let run: ExplorationRun
    var problem: String?
    var performed: [OrderedStep] = []
    /// The code of each step with the changes of the state, if they were recorded.
    var timeline: [(code: String, changes: [String])] = []
    /// The product of the numbers of possible steps.
    var orders = 1.0
    var last: System.State?
    /// The error with which the script has ended.
    var scriptError: String?
    var overtaking: [Overtaking] = []
  }

  func explore() async -> Exploration {
    var (runs, requests, bytes, orders) = (0, [String: Int](), 0, [Double]())
    var failing: Outcome?
    var (scriptError, hasFinishedScript): (String?, Bool) = (nil, false)
    func add(_ outcome: Outcome) {
      runs += 1
      requests.merge(outcome.run.requests, uniquingKeysWith: max)
      bytes = max(bytes, outcome.run.bytes)
      if outcome.problem != nil { failing = outcome }
      scriptError = scriptError ?? outcome.scriptError
      if !outcome.run.isCut { hasFinishedScript = true }
    }
    func exploration(
      _ failure: String?, _ order: [OrderedStep] = [], isComplete: Bool = false, text: String
    ) -> Exploration {
      Exploration(
        runs: runs, isComplete: isComplete, requests: requests, bytes: bytes, failure: failure,
        order: order.map(\.code), description: text)
    }
    let first = await run([], .search(space), isRecorded: true)
    add(first)
    // The first order may have no event.
    let random = SystemOrder<System>.Mode.random(OrderGenerator(seed: seed))
    for outcome in [first, await run([], random, isRecorded: true)] where failing == nil {
      if outcome.problem == nil, let difference = await difference(from: outcome) {
        return exploration(difference, text: "an order that differs in two runs")
      }
    }
    while failing == nil, runs < (limit + 1) / 2, let order = space.next() {
      add(await run(order, .search(space)))
    }
    let (systematic, isComplete) = (runs, space.isEmpty && failing == nil)
    // As many as before, so that the time at most doubles.
    for number in 0..<min(limit - runs, max(100, systematic)) where failing == nil {
      let outcome = await run([], .random(OrderGenerator(seed: seed &+ UInt64(number))))
      orders.append(outcome.orders)
      add(outcome)
    }
    let randomRuns = failing == nil ? runs - systematic : 0
    let about = Int(orders.reduce(0, +) / Double(max(1, orders.count)))
    let whole =
      isComplete
      ? "all orders of \(steps) steps (\(systematic) runs)"
      : "\(systematic) of about \(max(about, systematic)) orders of \(steps) steps"
    let text = "\(whole), and \(randomRuns) random orders from seed \(seed)"
    if let failing {
      let shortest = await shrink(failing)
      return exploration(report(shortest), shortest.performed, text: text)
    }
    let error = hasFinishedScript ? nil : scriptError
    return exploration(
      error.map { "The script ends in no order: \($0)" }, isComplete: isComplete, text: text)
  }

  // MARK: Runs

  private func run(
    _ plan: [OrderedStep], _ mode: SystemOrder<System>.Mode, isRecorded: Bool = false,
    comparesOrders: Bool = true
  ) async -> Outcome {
    let run = ExplorationRun()
    var outcome = Outcome(run: run)
    await withIssues(of: run) {
      await run.call {
        do {
          let system = try await make()
          let order = SystemOrder(system, self, run, plan, mode, isRecorded: isRecorded)
          run.order = order
          do { try await script(system) } catch {
            run.cut()
            outcome.scriptError = "\(error)"
          }
          await order.finish()
          run.order = nil
          outcome.performed = order.performed
          outcome.timeline = zip(order.performed, order.changes ?? []).map { ($0.code, $1) }
          (outcome.orders, outcome.last) = (order.orders, system.state)
          // A screen that does not rest has too many results to compare.
          if run.problem == nil {
            outcome.overtaking = (system as? any ResultOrder)?.overtaking ?? []
          }
        } catch { run.fail("\(error)") }
      }
      run.end()
    }
    outcome.problem = run.problem
    if outcome.problem == nil, comparesOrders {
      // The results in the planned order were compared when it was shorter.
      let isSearch = if case .search = mode { true } else { false }
      outcome.problem = await problem(
        of: outcome.overtaking.filter { !isSearch || $0.older >= plan.count }, in: outcome.performed
      )
    }
    return outcome
  }

  /// Adds the issues that a body's expectations record to a run's problems instead of the test's issues.
  private func withIssues(of run: ExplorationRun, _ body: () async -> Void) async {
    guard Test.current != nil else { return await body() }
    await withKnownIssue(isIntermittent: true) {
      await body()
    } matching: { issue in
      run.fail("\(issue)".replacing(" (error)", with: ""))
      return true
    }
  }

  // MARK: Promises about two runs

  /// Returns the first difference of another run of the same order.
  private func difference(from first: Outcome) async -> String? {
    let second = await run(first.performed, .replay, isRecorded: true)
    for (one, other) in zip(first.timeline, second.timeline)
    where one.code != other.code || one.changes != other.changes {
      let changes = [one.changes, other.changes].map { $0.joined(separator: ", ") }
      return
        "\(System.self) is not deterministic: after \(one.code), two runs of one order differ. Use no random numbers, and no UUID() in requests.\n  \(changes[0])\n  \(changes[1])"
    }
    return nil
  }

  /// Returns the description of a result that came after a newer one and changed the last state, so that it depends on
  /// the order of both.
  private func problem(of overtaking: [Overtaking], in order: [OrderedStep]) async -> String? {
    for pair in overtaking {
      var swapped = order
      swapped.swapAt(pair.newer - 1, pair.older - 1)
      let one = await run(order, .replay, comparesOrders: false).last
      let other = await run(swapped, .replay, comparesOrders: false).last
      if !ValueText.changes(one as Any, other as Any).isEmpty {
        return "The result of \(pair.work) replaced the result of work that was started later."
      }
    }
    return nil
  }

  // MARK: Failures

  /// Returns the shortest order that can be found by leaving out steps.
  private func shrink(_ failing: Outcome) async -> Outcome {
    var best = await run(failing.performed, .replay, isRecorded: true)
    guard best.problem != nil else { return failing }
    var index = best.performed.count
    while index > 0 {
      index -= 1
      var order = best.performed
      guard index < order.count else { continue }
      let isScript = order.remove(at: index).isScript
      let shorter = await run(order, .replay, isRecorded: true)
      // Without a step of the script, its expectations may fail for another reason.
      guard let problem = shorter.problem, !isScript || problem == best.problem,
        shorter.performed.count < best.performed.count
      else { continue }
      (best, index) = (shorter, shorter.performed.count)
    }
    return best
  }

  private func report(_ shortest: Outcome) -> String {
    let problem = shortest.problem ?? ""
    if shortest.timeline.isEmpty { return "\(problem) Another run of this order does not." }
    let count = shortest.performed.count
    let lines = shortest.timeline.flatMap { code, changes in
      let isReply = code.hasPrefix("responses.") || code.hasPrefix("streams.")
      return [code] + (isReply ? [System.code.settling] : []) + changes.map { "// \($0)" }
    }
    return """
      \(problem)
      The shortest order has \(count) step\(count == 1 ? "" : "s"):
        \(System.code.creating)
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      """
  }
}

/// A result that arrived after the result of work that was started later.
struct Overtaking {
  let work: String
  /// The numbers of the steps in which the results arrived.
  let newer: Int
  let older: Int
}

/// A system that knows which results arrived after newer ones and changed the same parts of the state.
protocol ResultOrder {
  var overtaking: [Overtaking] { get }
}
