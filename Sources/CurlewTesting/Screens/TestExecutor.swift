public import CurlewScreens
import Synchronization
import Testing

/// An executor that runs jobs only when a test calls ``drain()``, in the order in which they were enqueued.
///
/// Pass it to a `Runner` (`executor: .custom(executor)`) to make tests of a screen deterministic.
public final class TestExecutor: TaskExecutor, RunnerHost {
  private let jobs = Mutex<[UnownedJob]>([])
  private let pending = Counter()

  /// The exploration that created the executor.
  let run: ExplorationRun?

  /// Creates an executor without jobs.
  public init() {
    run = .current
    run?.add(self)
  }

  /// Adds a runner that was created by a task on the executor.
  package func add(_ runner: any ObservedRunner) { run?.add(runner) }

  /// Adds a job; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    pending.increment()
  }

  /// Starts a task on the executor; the screens, clients and stores that it uses start their tasks there, too.
  public func task<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    WorkExecutor.$current.withValue(self) {
      Task(executorPreference: self) { @concurrent in try await operation() }
    }
  }

  /// Waits until a job is enqueued, for example by work on another executor, or the waiting task is cancelled.
  public func waitForJob() async {
    await pending.wait(for: 1)
  }

  /// Runs all enqueued jobs, including jobs that they enqueue.
  ///
  /// The test fails if they enqueue jobs without end, as a screen does whose every result starts another load.
  public func drain() { drain(reportingAt: #_sourceLocation) }

  func drain(reportingAt location: SourceLocation) {
    var count = 0
    while true {
      let ready = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      if ready.isEmpty { return }
      pending.increment(by: -ready.count)
      count += 1
      if count > (run == nil ? 100_000 : 10_000) {
        return failTest("The work does not come to rest.", sourceLocation: location)
      }
      for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
