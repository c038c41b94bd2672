public import Application
public import CurlewScreens

/// A screen's model with activity tracking, which reloads the screen when the network is available
/// again.
public typealias AppModel<S: RefreshableScreen> = ScreenModel<
  ActivityTracking<ConnectionTracking<S>>
>

extension AppSources {
  /// Returns a model for a screen.
  @MainActor
  public func model<S: RefreshableScreen>(
    _ screen: S, navigator: (any Navigator)? = nil
  ) -> AppModel<S> {
    ScreenModel(tracked(screen), navigator: navigator)
  }

  /// Returns a model with a constant state, for previews.
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
