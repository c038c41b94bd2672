#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  /// The default view of a ``ListPlaceholder``: empty before a search, and while the first items are loading.
  ///
  /// The list adds a retry button after a failure.
  public struct ListPlaceholderView: View {
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
      switch placeholder {
      case .initial: initial.map { Text($0) }
      case .loading: EmptyView()
      case .hint(let hint): ContentUnavailableView(hint, systemImage: "magnifyingglass")
      case .empty(""): ContentUnavailableView(UserTexts.current.noItems, systemImage: "tray")
      case .empty(let term): ContentUnavailableView.search(text: term)
      case .failed(let failure):
        ContentUnavailableView(failure.message, systemImage: "exclamationmark.triangle")
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
        if case .failed(let failure) = shown {
          VStack {
            view(shown).fixedSize(horizontal: false, vertical: true)
            RetryButton(failure: failure, retry: retry)
          }
        } else {
          view(shown)
        }
      }
    }
  }

  /// A button that repeats a failed load, with the countdown until it is repeated automatically.
  struct RetryButton: View {
    @Environment(\.screenActivity) private var activity
    let failure: LoadFailure
    let retry: @MainActor () -> Void

    init(failure: LoadFailure, retry: @escaping @MainActor () -> Void) {
      (self.failure, self.retry) = (failure, retry)
    }

    var body: some View {
      if let seconds = activity.secondsLeft(after: failure) {
        Text(UserTexts.current.tryingAgain(inSeconds: seconds)).foregroundStyle(.secondary)
      }
      Button(UserTexts.current.tryAgainButton) { retry() }
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
