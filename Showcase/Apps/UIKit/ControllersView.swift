#if canImport(UIKit) && canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  public import SwiftUI
  public import UIKit

  /// The UIKit apps, embedded in an app with the SwiftUI life cycle.
  public struct ControllersView: UIViewControllerRepresentable {
    private let sources: AppSources

    /// Creates a view that shows data from the given sources.
    public init(_ sources: AppSources) { self.sources = sources }

    /// Creates the tab bar controller.
    public func makeUIViewController(context: Context) -> UITabBarController {
      AppControllers.tabs(sources)
    }

    /// Does nothing, because the models update the view controllers.
    public func updateUIViewController(_ controller: UITabBarController, context: Context) {}
  }
#endif
