package import CurlewScreens
package import CurlewSupport

extension Timeline: SessionObserver {
  package func reached(_ step: RequestStep) { add(.request(step)) }

  package func sent(_ bytes: Int) { add(.sent(bytes)) }

  package func ran<S>(_ record: RunnerRecord<S>) {
    switch record.kind {
    case .event(let event): add(.event(event))
    case .state(let state): add(.state(state))
    case .work(let step): name(of: step.id, in: S.self).map { add(step, of: $0) }
    case .wait(let step): name(of: step.id, in: S.self).map { add(step, of: $0) }
    }
  }

  /// The name of work as the screen itself calls it; `nil` for that of a screen which only wraps it,
  /// such as the one that listens whether the network is back.
  private func name(of id: WorkID, in screen: Any.Type) -> String? {
    let (name, screen) = id.unwrapped(from: screen)
    return screen is any WrappingScreen.Type ? nil : "\(name)"
  }

  private func add(_ step: WorkStep, of work: String) {
    switch step.kind {
    case .started: add(.start(work: work, run: step.run))
    case .replaced: add(.end(work: work, run: step.run, .replaced, error: nil))
    case .cancelled: add(.end(work: work, run: step.run, .cancelled, error: nil))
    case .finished(let error):
      add(.end(work: work, run: step.run, error == nil ? .finished : .failed, error: error))
    }
  }

  private func add(_ step: WaitStep, of work: String) {
    switch step.kind {
    case .began(let delay): add(.wait(work: work, for: delay))
    case .skipped: add(.skip(work: work))
    case .cancelled: add(.end(work: work, run: 0, .cancelled, error: nil))
    }
  }
}
