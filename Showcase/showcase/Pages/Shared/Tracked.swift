import Application
package import CurlewScreens

/// The screen of a page, with an activity indicator, an alert for each error, and a refresh when
/// the network is available again.
package typealias Tracked<Inner: Screen> = ActivityTracking<ConnectionTracking<Inner>>

/// Returns a stream of whether the servers are unreachable: the current value, and each change.
package typealias OfflineFlags = @Sendable () -> AsyncStream<Bool>

/// Returns an empty stream, for sources that need no network.
let noOfflineFlags: OfflineFlags = { AsyncStream { $0.finish() } }

extension ActivityTracking {
  init<Inner: RefreshableScreen>(
    _ inner: Inner, isOffline: @escaping OfflineFlags = noOfflineFlags
  ) where Content == ConnectionTracking<Inner> {
    self.init(
      ConnectionTracking(inner, isOffline: isOffline) { inner.event(refreshing: $0) })
  }
}
