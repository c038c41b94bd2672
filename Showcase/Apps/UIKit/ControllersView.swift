#if canImport(UIKit) && canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  public import SwiftUI
  import UIKit

  /// The UIKit apps, embedded in an app with the SwiftUI life cycle.
  public struct ControllersView: View {
    @State private var tabs: AppTabs

    /// Creates a view that shows data from the given sources.
    public init(_ sources: AppSources) { _tabs = State(initialValue: AppTabs(sources)) }

    /// The view.
    public var body: some View {
      Controller(tabs: tabs).onOpenURL { tabs.open($0) }
    }

    private struct Controller: UIViewControllerRepresentable {
      let tabs: AppTabs

      func makeUIViewController(context: Context) -> AppTabs { tabs }

      func updateUIViewController(_ controller: AppTabs, context: Context) {}
    }
  }
#endif
