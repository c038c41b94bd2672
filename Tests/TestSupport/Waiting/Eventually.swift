/// Waits until a condition that other tasks change is true.
///
/// Returns early when its task is cancelled, for example at the test's time limit.
public func eventually(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
