#if canImport(UIKit) && canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  public import SwiftUI
  public import UIKit

  /// The apps in UIKit, for an app whose life cycle is SwiftUI's.
  public struct ControllersView: UIViewControllerRepresentable {
    private let sources: AppSources

    /// Shows what the sources have.
    public init(_ sources: AppSources) { self.sources = sources }

    /// Makes the tabs.
    public func makeUIViewController(context: Context) -> UITabBarController {
      AppControllers.tabs(sources)
    }

    /// The view controllers are updated by their models.
    public func updateUIViewController(_ controller: UITabBarController, context: Context) {}
  }
#endif
