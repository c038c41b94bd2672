import Application
package import CurlewScreens

/// The screen of a page: it refreshes itself when the network is back, and has one indicator, and an
/// alert for each error.
package typealias Tracked<Inner: Screen> = ActivityTracking<ConnectionTracking<Inner>>

/// Makes a sequence of whether the servers are out of reach: how it is now, and each change.
package typealias OfflineFlags = @Sendable () -> AsyncStream<Bool>

/// Says nothing of the network, for what needs none.
let noOfflineFlags: OfflineFlags = { AsyncStream { $0.finish() } }

extension ActivityTracking {
  init<Inner: RefreshableScreen>(
    _ inner: Inner, isOffline: @escaping OfflineFlags = noOfflineFlags
  ) where Content == ConnectionTracking<Inner> {
    self.init(
      ConnectionTracking(inner, isOffline: isOffline) { inner.event(refreshing: $0) })
  }
}
