#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  /// The default view of a ``ListPlaceholder``, its `message(in:)`: empty before a search, and while the first items are
  /// loading.
  ///
  /// The list adds a retry button after a failure.
  public struct ListPlaceholderView: View {
    @Environment(\.screenActivity) private var activity
    private let placeholder: ListPlaceholder
    private let initial: LocalizedStringKey?

    /// Creates the view of a placeholder.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder.
    ///   - initial: The text before a search; none by default.
    public init(_ placeholder: ListPlaceholder, initial: LocalizedStringKey? = nil) {
      (self.placeholder, self.initial) = (placeholder, initial)
    }

    /// The view.
    public var body: some View {
      if case .initial = placeholder, let initial {
        Text(initial)
      } else if let message = placeholder.message(in: activity) {
        ContentUnavailableView(message, systemImage: image)
      }
    }

    private var image: String {
      switch placeholder {
      case .failed: "exclamationmark.triangle"
      case .empty(""): "tray"
      case .initial, .hint, .loading, .empty: "magnifyingglass"
      }
    }
  }

  /// A placeholder over an empty list, with a retry button after a failure.
  struct ListOverlay<Placeholder: View>: View {
    let shown: ListPlaceholder?
    let view: (ListPlaceholder) -> Placeholder
    let retry: @MainActor () -> Void

    var body: some View {
      if let shown {
        if case .failed = shown {
          VStack {
            view(shown).fixedSize(horizontal: false, vertical: true)
            Button(UserTexts.current.tryAgainButton) { retry() }
          }
        } else {
          view(shown)
        }
      }
    }
  }

  extension EnvironmentValues {
    private struct ActivityKey: EnvironmentKey {
      static let defaultValue = ScreenActivity()
    }

    /// The activity of the screen that the views show (`activity(of:)`).
    var screenActivity: ScreenActivity {
      get { self[ActivityKey.self] }
      set { self[ActivityKey.self] = newValue }
    }
  }
#endif
