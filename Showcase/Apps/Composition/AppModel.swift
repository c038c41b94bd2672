public import CurlewScreens

extension AppSources {
  /// Returns a model for a screen, which reloads its content when the network is available again.
  @MainActor
  public func model<S: Screen>(
    _ screen: S, navigator: (any Navigator)? = nil
  ) -> ScreenModel<S> {
    ScreenModel(screen, navigator: navigator, activity: .init(isOffline: isOffline))
  }
}
