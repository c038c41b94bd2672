import Foundation

#if canImport(FoundationNetworking)
  import Dispatch
  import FoundationNetworking

  /// Pauses and cancels a task, the only one of its session, on Linux.
  ///
  /// Each session reads from the network on a serial queue of its own, and all these queues share
  /// one thread. A queue that has its turn runs until it is empty. When a server sends faster than
  /// the client reads, it never is: no other task of the process goes on, and none is cancelled.
  /// So this queue is paused, not the task: a task that was suspended sends its request again.
  ///
  /// No public property leads to the queue. Where it is not found, nothing is paused.
  struct URLSessionControl: Sendable {
    private let task: URLSessionTask
    private let queue: DispatchQueue?

    init(_ task: URLSessionTask, of session: URLSession) {
      self.task = task
      queue = Mirror(reflecting: session).descendant("multiHandle", "queue") as? DispatchQueue
    }

    func pause() { queue?.suspend() }

    func resume() { queue?.resume() }

    /// Cancels the task soon, on another thread: `cancel()` waits for the one that reads from the
    /// network, on which the task's delegate is called.
    func cancel() {
      Self.cancellations.async { task.cancel() }
    }

    private static let cancellations = DispatchQueue(label: "Curlew.URLSessionControl")
  }

  /// Lets a session call its delegate at once, on the thread that reads from the network.
  ///
  /// The queue that a session makes for itself falls behind, and what waits in it has no bound.
  final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#else
  /// Pauses and cancels a task.
  struct URLSessionControl: Sendable {
    private let task: URLSessionTask

    init(_ task: URLSessionTask, of session: URLSession) {
      self.task = task
    }

    func pause() { task.suspend() }

    func resume() { task.resume() }

    func cancel() { task.cancel() }
  }
#endif
