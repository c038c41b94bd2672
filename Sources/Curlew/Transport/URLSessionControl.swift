import Foundation

#if canImport(FoundationNetworking)
  import Dispatch
  import FoundationNetworking

  /// Pauses and cancels the only task of a session, on Linux.
  ///
  /// Each session reads from the network on its own serial queue, and all these queues share a single
  /// thread, on which a queue runs until it is empty. When a server sends faster than the client reads,
  /// its queue is never empty: no other task of the process makes progress, and none is cancelled. So
  /// the queue is suspended, not the task: a suspended task sends its request again.
  ///
  /// No public property returns the queue. If it is not found, nothing is paused.
  struct URLSessionControl: Sendable {
    private let task: URLSessionTask
    private let queue: DispatchQueue?

    init(_ task: URLSessionTask, of session: URLSession) {
      self.task = task
      queue = Mirror(reflecting: session).descendant("multiHandle", "queue") as? DispatchQueue
    }

    func pause() { queue?.suspend() }

    func resume() { queue?.resume() }

    /// Cancels the task asynchronously: `cancel()` waits for the thread that reads from the network, on
    /// which the task's delegate is called.
    func cancel() {
      Self.cancellations.async { task.cancel() }
    }

    private static let cancellations = DispatchQueue(label: "Curlew.URLSessionControl")
  }

  /// Lets a session call its delegate at once, on the thread that reads from the network.
  ///
  /// The queue that a session creates for itself falls behind, and grows without limit.
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
