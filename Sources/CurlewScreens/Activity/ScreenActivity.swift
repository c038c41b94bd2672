import CurlewSupport

/// What a running screen shows besides its state, computed from its loads (``Screen/loads(in:)``): an activity
/// indicator that does not flicker, an alert for each failure, and whether the network is unavailable.
public struct ScreenActivity: Equatable, Sendable {
  /// A failure that the user has not dismissed.
  public struct Alert: Equatable, Identifiable, Sendable {
    /// The alert's number, which no other alert of the screen has, not even of the same load.
    public let id: Int
    /// The name of the load that failed.
    public let name: WorkID
    /// The kind of the load that failed.
    public let kind: LoadKind
    /// The reason why the load failed.
    public let failure: LoadFailure
    /// The whole seconds, rounded up, until the load is retried; `nil` when no automatic retry is pending.
    public let secondsLeft: Int?
    /// Whether the user can try again (``ScreenModel/retry(_:)``).
    public let canRetry: Bool
    /// Whether the view of the content shows the failure, as a list's placeholder or footer does.
    package let isInline: Bool

    /// A message for the user: why the load failed, and when it is retried.
    public var message: String {
      guard let secondsLeft else { return failure.message }
      let texts = UserTexts.current
      return failure.message + texts.separator + texts.tryingAgain(inSeconds: secondsLeft)
    }
  }

  /// How a running screen computes its activity.
  public struct Options: Sendable {
    let indicatorDelay: Duration
    let minimumIndicatorTime: Duration
    let staleTime: Duration
    let retryPauses: ClosedRange<Duration>
    /// Calls the closure with whether the network is unavailable, now and after each change, until it returns false.
    let observeConnection: (@Sendable (_ emit: (Bool) -> Bool) async -> Void)?

    /// Creates options; an activity that observes the network reloads the screen's content when the network is back.
    ///
    /// While the network is unavailable, the content is also reloaded after growing pauses, because some hosts may be
    /// reachable. Such a reload is silent: until it succeeds, the screen's state is shown as it was before, without an
    /// indicator, and an equal failure shows no new alert. Writes are never repeated.
    ///
    /// - Parameters:
    ///   - indicatorDelay: The time that loading must take before the indicator appears, so that fast loads show none.
    ///   - minimumIndicatorTime: The minimum time that the indicator stays visible, long enough to be noticed.
    ///   - staleTime: The time without a view, as in the background, after which the content is silently reloaded when the
    ///     screen is shown again: longer than a call or the reading of a detail, shorter than a break after which users
    ///     expect news.
    ///   - retryPauses: The first and the longest pause between two reloads while the network is unavailable.
    ///   - isOffline: A closure that makes a sequence of whether the network is unavailable. Its first element
    ///     should be the current value, because the closure is called again when the screen is resumed. By default, the
    ///     network is not observed.
    public init<Flags: AsyncSequence & SendableMetatype>(
      indicatorDelay: Duration = .milliseconds(200),
      minimumIndicatorTime: Duration = .milliseconds(500), staleTime: Duration = .seconds(600),
      retryPauses: ClosedRange<Duration> = .seconds(5) ... .seconds(60),
      isOffline: (@Sendable () async throws -> Flags)? = Optional<
        @Sendable () async throws -> AsyncStream<Bool>
      >.none
    ) where Flags.Element == Bool, Flags.AsyncIterator: SendableMetatype {
      (self.indicatorDelay, self.minimumIndicatorTime) = (indicatorDelay, minimumIndicatorTime)
      (self.staleTime, self.retryPauses) = (staleTime, retryPauses)
      guard let isOffline else {
        observeConnection = nil
        return
      }
      observeConnection = { emit in
        do {
          for try await flag in try await isOffline() { guard emit(flag) else { return } }
        } catch {
          // The last known value stays.
        }
      }
    }
  }

  /// The names and kinds of the loads that the indicator shows; empty while it is hidden.
  public internal(set) var loading: [WorkID: LoadKind] = [:]
  /// The failures that the user has not dismissed, in the order of the loads.
  public internal(set) var alerts: [Alert] = []
  /// Whether the network seems to be unavailable; false if the network is not observed.
  public internal(set) var isOffline = false

  /// Creates an activity without alerts, for a preview or a test.
  public init(loading: [WorkID: LoadKind] = [:], isOffline: Bool = false) {
    (self.loading, self.isOffline) = (loading, isOffline)
  }

  /// Whether to show an indicator over the content: for a first load, which has no content yet, and for a write.
  ///
  /// The pull and a list's footer show the other loads.
  public var coversContent: Bool { loading.values.contains { $0 == .first || $0 == .write } }
}
