/// Waits until a condition that other tasks change is true.
///
/// Returns early when its task is cancelled, for example when the test's time limit has passed.
package func eventually(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
