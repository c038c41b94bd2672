/// Returns when something is so that comes about by itself, in other tasks; also when the task is
/// cancelled, as a test's is whose time is over.
package func eventually(_ isSo: () -> Bool) async {
  while !isSo(), !Task.isCancelled { await Task.yield() }
}
