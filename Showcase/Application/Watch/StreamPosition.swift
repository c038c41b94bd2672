import Synchronization

/// The position at which a stream resumes after its last element.
///
/// A state and the stream's work share it, because a runner that resumes a screen restarts the work
/// without calling the screen.
final class StreamPosition: Sendable {
  private let state = Mutex<String?>(nil)

  var value: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
