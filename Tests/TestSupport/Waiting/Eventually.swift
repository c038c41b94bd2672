package import CurlewTesting

/// Waits until a condition that other tasks change is true.
///
/// Returns early when its task is cancelled, for example when the test's time limit has passed.
package func eventually(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}

extension TestClock {
  /// Goes on until a gate is open: for waits that begin at a moment that a test can't see.
  package func advance(by step: Duration, until gate: Gate) async {
    while !gate.isOpen, !Task.isCancelled {
      advance(by: step)
      await Task.yield()
    }
  }
}
