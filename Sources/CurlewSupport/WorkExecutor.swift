/// The executor that a test runs a screen's work on, for tasks of their own that the work starts.
///
/// Tasks without a parent don't inherit the preference of the task that creates them.
package enum WorkExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?

  /// Starts a task on the executor, if there is one.
  package static func task(
    _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if let current { Task(executorPreference: current) { await body() } } else { Task { @concurrent in await body() } }
  }
}
