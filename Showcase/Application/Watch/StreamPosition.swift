import Synchronization

/// Where a stream goes on after its last element.
///
/// It is shared by a state and the stream's work, because a runner that resumes a screen begins the work
/// again without asking the screen.
final class StreamPosition: Sendable {
  private let state = Mutex<String?>(nil)

  var value: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
