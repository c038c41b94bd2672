package import CurlewScreens
package import CurlewSupport

extension Timeline: RequestListener {
  package func reached(_ step: RequestStep) { add(.request(step)) }

  /// Returns the observer for a runner, which records its trace, too.
  func observer<S>() -> @Sendable (Duration, RunnerRecord<S>) -> Void {
    let observers = recorders.map { $0.observer(of: S.self) }
    return { time, record in
      self.ran(record)
      for observe in observers { observe(time, record) }
    }
  }

  package func ran<S>(_ record: RunnerRecord<S>) {
    switch record {
    case .event(let event): add(.event(event))
    case .state(let state): add(.state(state))
    case .delivered, .suspended, .activity: break
    case .work(let id, let step, let run):
      add(step, run, of: "\(id)")
    }
  }

  private func add(_ step: WorkStep, _ run: UInt64, of work: String) {
    switch step {
    case .waiting(let delay): add(.wait(work: work, for: delay))
    case .skipped: add(.skip(work: work))
    case .started: add(.start(work: work, run: run))
    case .replaced: add(.end(work: work, run: run, .replaced, error: nil))
    case .cancelled: add(.end(work: work, run: run, .cancelled, error: nil))
    case .finished(let error):
      add(.end(work: work, run: run, error == nil ? .finished : .failed, error: error))
    }
  }
}
