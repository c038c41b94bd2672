/// What a host tells of a repository while somebody watches it.
public struct IssueEvent: Equatable, Sendable {
  /// What happened.
  public enum Content: Equatable, Sendable {
    /// An issue was opened.
    case opened(Issue)
    /// Something that can't be read, and why: for a log, not for users.
    case damaged(reason: String)
  }

  /// What happened.
  public let content: Content
  /// Where to go on after it; `nil` when the host doesn't say.
  public let position: String?

  /// Creates an event.
  public init(_ content: Content, position: String?) {
    self.content = content
    self.position = position
  }
}

/// The events of a repository as they happen, until whoever reads them is cancelled.
public struct IssueEvents: AsyncSequence, Sendable {
  /// What happened.
  public typealias Element = IssueEvent
  /// The error that ends the events.
  public typealias Failure = any Error

  private let makeNext: @Sendable () -> () async throws -> IssueEvent?

  /// Creates events out of those of another sequence; it is read when the next one is asked for.
  ///
  /// - Parameter event: Turns an element into an event; `nil` leaves it out.
  public init<Source: AsyncSequence & Sendable & SendableMetatype>(
    _ source: Source, event: @escaping @Sendable (Source.Element) -> IssueEvent?
  ) where Source.AsyncIterator: SendableMetatype {
    makeNext = {
      var iterator = source.makeAsyncIterator()
      return {
        while let element = try await iterator.next(isolation: #isolation) {
          if let event = event(element) { return event }
        }
        return nil
      }
    }
  }

  /// An iterator over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let read: () async throws -> IssueEvent?

    /// Returns the next event when it has happened; `nil` when the host has no more.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> IssueEvent? { try await read() }

    /// Returns the next event when it has happened; `nil` when the host has no more.
    public mutating func next() async throws -> IssueEvent? { try await next(isolation: nil) }
  }

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: makeNext()) }
}
