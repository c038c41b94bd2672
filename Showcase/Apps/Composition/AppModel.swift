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
    ScreenModel(tracked(screen), navigator: navigator)
  }

  /// Returns a model that shows a state and never changes it, for previews.
  @MainActor
  public func model<S: RefreshableScreen>(_ screen: S, showing state: S.State) -> AppModel<S> {
    ScreenModel(tracked(screen), showing: .init(content: .init(content: state)))
  }

  private func tracked<S: RefreshableScreen>(
    _ screen: S
  ) -> ActivityTracking<ConnectionTracking<S>> {
    ActivityTracking(
      ConnectionTracking(screen, isOffline: isOffline) { screen.event(refreshing: $0) })
  }
}
