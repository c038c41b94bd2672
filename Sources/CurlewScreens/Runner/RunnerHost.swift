/// An executor of tests, which observes the runners that tasks on it create.
package protocol RunnerHost {
  func add(_ runner: any ObservedRunner)
}

/// A runner of any screen.
package protocol ObservedRunner: AnyObject, Sendable {
  /// Whether loads or writes are running or waiting, and the runner is not suspended.
  var isBusy: Bool { get }
  var stuckLoads: [WorkID] { get }
}

extension Runner: ObservedRunner {
  package var isBusy: Bool { withStorage { $0.work.isWorking && !$0.isSuspended } }
}
