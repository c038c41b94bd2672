#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  /// A list of a ``Feed``: it loads when it appears, loads the next page before its end is reached, and supports pull to
  /// refresh.
  ///
  /// An empty list shows a placeholder, with a retry button after a failure; the end of the list shows the progress and the
  /// failure of the next page. `activity(of:)` shows the progress of the first load.
  ///
  /// ```swift
  /// FeedList(model) { issue in Text(issue.title) }
  ///   .activity(of: model)
  ///   .running(model)
  /// ```
  public struct FeedList<Item: Identifiable & Equatable & Sendable, Row: View, Placeholder: View>:
    View
  where Item.ID: Sendable {
    @Environment(\.screenActivity) private var activity
    private let feed: Feed<Item>.State
    private let shown: ListPlaceholder?
    private let send: @MainActor (Feed<Item>.Event) -> PendingWork
    private let row: (Item) -> Row
    private let placeholder: (ListPlaceholder) -> Placeholder

    init(
      _ feed: Feed<Item>.State, _ shown: ListPlaceholder?,
      _ send: @escaping @MainActor (Feed<Item>.Event) -> PendingWork,
      _ row: @escaping (Item) -> Row,
      _ placeholder: @escaping (ListPlaceholder) -> Placeholder
    ) {
      (self.feed, self.shown, self.send) = (feed, shown, send)
      (self.row, self.placeholder) = (row, placeholder)
    }

    /// Creates a list of a feed that is a part of a screen.
    ///
    /// - Parameters:
    ///   - feed: The feed's state.
    ///   - send: A closure that sends an event of the feed to the screen.
    ///   - row: A closure that returns the view of an item.
    ///   - placeholder: A closure that returns the view shown when there are no items.
    public init(
      _ feed: Feed<Item>.State, send: @escaping @MainActor (Feed<Item>.Event) -> PendingWork,
      @ViewBuilder row: @escaping (Item) -> Row,
      @ViewBuilder placeholder: @escaping (ListPlaceholder) -> Placeholder = {
        ListPlaceholderView($0)
      }
    ) {
      self.init(feed, feed.placeholder, send, row, placeholder)
    }

    /// Creates a list of a feed.
    public init(
      _ model: ScreenModel<Feed<Item>>, @ViewBuilder row: @escaping (Item) -> Row,
      @ViewBuilder placeholder: @escaping (ListPlaceholder) -> Placeholder = {
        ListPlaceholderView($0)
      }
    ) {
      self.init(model.state, send: { model.send($0) }, row: row, placeholder: placeholder)
    }

    /// The list.
    public var body: some View {
      List {
        ForEach(feed.items) { item in
          row(item).onAppear { _ = send(.appeared(item.id)) }
        }
        footer
      }
      .overlay { ListOverlay(shown: shown, view: placeholder) { _ = send(.retry) } }
      .onAppear { _ = send(.load) }
      .refreshable { [send] in await send(.refresh).finished() }
    }

    @ViewBuilder private var footer: some View {
      if let message = feed.footer?.placeholder.message(in: activity) {
        VStack(alignment: .leading) {
          Text(message).foregroundStyle(.secondary)
          Button(UserTexts.current.tryAgainButton) { _ = send(.retry) }
        }
      } else if feed.footer != nil {
        // A reused row does not animate its indicator.
        ProgressView().id(feed.pageCount).frame(maxWidth: .infinity).task(id: feed.footer) {
          if case .more = feed.footer { _ = send(.more) }
        }
      }
    }
  }
#endif
