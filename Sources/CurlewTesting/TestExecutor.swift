import Synchronization

/// An executor that runs tasks only when a test says so, in the order in which they became ready.
///
/// Give it to a `Runner` (`executor: .custom(executor)`): then nothing of the screen runs by itself,
/// and a test is the same every time.
public final class TestExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  /// Creates an executor with nothing to do.
  public init() {}

  /// Adds a piece of a task; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs everything that is ready, and what becomes ready through it.
  public func drain() {
    while true {
      let ready = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      if ready.isEmpty { return }
      for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
