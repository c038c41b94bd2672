/// The executor on which a test runs a screen's work, for the unstructured tasks that the work starts.
///
/// Unstructured tasks don't inherit the executor preference of the task that creates them.
package enum WorkExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?

  /// Starts a task on the executor, if an executor is set.
  ///
  /// - Parameter isShared: Whether the task also serves other callers, so that it inherits only the executor
  ///   from its creator.
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
