public import Application
public import CurlewScreens

/// A model of a screen as all apps run it: with its activity, and loaded again when the network is back.
public typealias AppModel<S: RefreshableScreen> = ScreenModel<
  ActivityTracking<ConnectionTracking<S>>
>

extension AppSources {
  /// Returns a model of a screen.
  @MainActor
  public func model<S: RefreshableScreen>(
    _ screen: S, navigator: (any Navigator)? = nil
  ) -> AppModel<S> {
    let connected = ConnectionTracking(screen, isOffline: isOffline) {
      screen.event(refreshing: $0)
    }
    return ScreenModel(ActivityTracking(connected), navigator: navigator)
  }
}
