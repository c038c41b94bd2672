import CurlewScreens
import Synchronization
import Testing

extension ScreenProbe: Explorable {
  /// The end of the next waiting time, and the suspension of the screen or its end.
  public var nextSteps: [ExplorationStep] {
    var steps: [ExplorationStep] = []
    if let pause = clock.sleeps.first {
      steps.append(
        ExplorationStep(
          "\(name).advance(by: \(ValueText.code(pause)))", runner.isWorking ? .progress : .other
        ) { [self] in advance(by: pause) })
    }
    let isSuspended = isSuspended
    steps.append(
      ExplorationStep(
        isSuspended ? "\(name).resume()" : "\(name).suspend()", isSuspended ? .progress : .other
      ) { [self] in isSuspended ? resume() : suspend() })
    return steps
  }

  /// The names of the running work, and the times for which work waits.
  public var pendingWork: String {
    "\(running.values.map { "\($0.id)" }.sorted()) \(clock.sleeps) \(isSuspended)"
  }

  /// Returns the description of a load that is shown without running work, or of work that has not ended, although all
  /// responses have arrived.
  public func problem(isAtRest: Bool) -> String? {
    if let problem = stuckLoads { return problem }
    if checksLoads, !isSuspended, !runner.isWorking, clock.sleeps.isEmpty, running.isEmpty,
      case let loading = ValueText.loading(state), !loading.isEmpty
    {
      return
        "\(S.self) shows \(loading.joined(separator: ", ")) as loading, but no work is running that could end it."
    }
    guard isAtRest else { return nil }
    if runner.isWorking {
      let names = Set(running.values.map { "\($0.id)" }).sorted().joined(separator: ", ")
      return "\(S.self) does not end \(names), although no response is pending."
    }
    let states = states
    return zip(states, states.dropFirst()).first { $0 == $1 }
      .map { "\(S.self) delivers equal states in succession: \($0.0)" }
  }

  /// The running loads, streams and writes by their runs.
  private var running: [UInt64: (id: WorkID, start: Int)] {
    var running: [UInt64: (id: WorkID, start: Int)] = [:]
    for (index, entry) in records.enumerated() {
      guard case .work(let id, let step, let run) = entry.record, run > 0 else { continue }
      running[run] = step == .started ? (id, index) : nil
    }
    return running
  }
}

extension ScreenProbe: ResultOrder {
  /// The successful loads and writes whose results changed what the results of work that was started later had changed.
  var overtaking: [Overtaking] {
    var starts: [UInt64: Int] = [:]
    var results: [(run: UInt64, id: WorkID, start: Int, before: S.State, after: S.State)] = []
    var overtaking: [Overtaking] = []
    var last = states[0]
    var finished: (run: UInt64, id: WorkID)?
    for (index, entry) in records.enumerated() {
      switch entry.record {
      case .work(_, .started, let run): starts[run] = index
      case .work(let id, .finished(error: nil), let run): finished = (run, id)
      case .state(let state):
        if let (run, id) = finished, let start = starts[run] {
          let result = (run, id, start, last, state)
          for newer in results where newer.start > start {
            if let pair = self.overtaking(of: newer, by: result) { overtaking.append(pair) }
          }
          results.append(result)
        }
        (last, finished) = (state, nil)
      default: break
      }
    }
    return overtaking
  }

  private func overtaking(
    of newer: (run: UInt64, id: WorkID, start: Int, before: S.State, after: S.State),
    by older: (run: UInt64, id: WorkID, start: Int, before: S.State, after: S.State)
  ) -> Overtaking? {
    let paths = Set(ValueText.changes(newer.before, newer.after).map(\.path))
    let hasChanged = ValueText.changes(older.before, older.after).contains {
      paths.contains($0.path)
    }
    let steps = log.results.withLock { ($0[newer.run], $0[older.run]) }
    guard hasChanged, let first = steps.0, let second = steps.1, first != second else { return nil }
    return Overtaking(work: "\(older.id)", newer: first, older: second)
  }
}

extension ValueText {
  /// Returns the paths of the loading content in a value.
  static func loading(_ value: Any, at path: String = "state") -> [String] {
    if let content = value as? any LoadingContent { return content.isLoading ? [path] : [] }
    let mirror = Mirror(reflecting: value)
    // The states of Curlew's screens declare their loads themselves.
    let isDeclared =
      mirror.displayStyle == .struct
      && String(reflecting: mirror.subjectType).hasPrefix("CurlewScreens.")
    if isDeclared { return [] }
    return mirror.children.enumerated().flatMap { index, child in
      loading(child.value, at: path + (child.label.map { ".\($0)" } ?? "[\(index)]"))
    }
  }
}

private protocol LoadingContent {
  var isLoading: Bool { get }
}

extension Loadable: LoadingContent {}
