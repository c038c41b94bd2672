/// The executor that a test runs a screen's work on, for tasks of their own that the work starts.
///
/// Tasks without a parent don't inherit the preference of the task that creates them.
package enum WorkExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?

  /// Starts a task on the executor, if there is one.
  ///
  /// - Parameter isShared: Whether the task serves others, too, so that it keeps nothing of the one that starts it.
  package static func task(
    isShared: Bool = false, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    guard isShared else { return Task(executorPreference: current) { @concurrent in await body() } }
    let executor = current
    return Task.detached(executorPreference: executor) {
      await $current.withValue(executor) { await body() }
    }
  }
}
