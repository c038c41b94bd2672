import Synchronization

/// An executor that runs jobs only when a test calls ``drain()``, in the order in which they were enqueued.
///
/// Pass it to a `Runner` (`executor: .custom(executor)`) to make tests of a screen deterministic.
public final class TestExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  /// Creates an executor without jobs.
  public init() {}

  /// Adds a job; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all enqueued jobs, including jobs that they enqueue.
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
