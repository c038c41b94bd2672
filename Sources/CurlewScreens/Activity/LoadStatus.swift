import CurlewSupport

/// A kind of load, by which a view decides where to show its progress and its failure.
public enum LoadKind: Hashable, Sendable {
  /// A load of content when none is shown, or when other content will be shown.
  case first
  /// A load of the page after the loaded pages.
  case next
  /// A reload; the current content stays until it has finished.
  case refresh
  /// A change at the server, such as a form's submission.
  case write
}

/// The status of one of a screen's loads or writes: running, failed or neither.
public struct LoadStatus<Event> {
  /// The load's name, unique within the screen; for a load of a part, it includes the part's name.
  let name: WorkID
  /// The kind of the load that is running or has failed.
  let kind: LoadKind
  /// Whether the load is running.
  let isLoading: Bool
  /// The reason why the load failed; `nil` when it has not failed.
  let failure: LoadFailure?
  /// Whether another load is about to replace this load.
  let isSuperseded: Bool
  /// Whether the view of the content shows the failure and a retry button, so that no alert is presented.
  let isInline: Bool
  /// The event that repeats the failed load.
  package let retry: Event?
  /// The event that reloads the content.
  package let reload: Event?

  /// Creates a load's status.
  ///
  /// - Parameters:
  ///   - name: The load's name.
  ///   - kind: The kind of the load.
  ///   - isLoading: Whether the load is running.
  ///   - failure: The reason why the load failed; `nil` when it has not failed.
  ///   - isSuperseded: Whether another load is about to replace this load, as when the user types a new search term. A
  ///     superseded load is not repeated automatically.
  ///   - isInline: Whether the view of the content shows the failure, as a list's placeholder does, so that no alert is
  ///     presented (``ScreenModel/alert``).
  ///   - retry: The event that repeats the failed load when its failure's `retryAfter` has passed, when the user asks for
  ///     it, and, unless it is a write, when the network is back; `nil` when the load can't be repeated.
  ///   - reload: The event that reloads the content when the network is back; `nil` when there is nothing to reload.
  public init(
    name: WorkID, kind: LoadKind = .first, isLoading: Bool, failure: LoadFailure?,
    isSuperseded: Bool = false, isInline: Bool = false, retry: Event? = nil,
    reload: Event? = nil
  ) {
    (self.name, self.kind, self.isLoading, self.failure) = (name, kind, isLoading, failure)
    (self.isSuperseded, self.isInline, self.retry, self.reload) = (
      isSuperseded, isInline, retry, reload
    )
  }

  /// Returns this status for an enclosing screen.
  func inside<Outer>(_ part: PartID, _ event: (Event) -> Outer?) -> LoadStatus<Outer> {
    LoadStatus<Outer>(
      name: name.inside(part), kind: kind, isLoading: isLoading, failure: failure,
      isSuperseded: isSuperseded, isInline: isInline,
      retry: retry.flatMap(event), reload: reload.flatMap(event))
  }
}

extension LoadStatus: Equatable where Event: Equatable {}

extension LoadStatus: Sendable where Event: Sendable {}
