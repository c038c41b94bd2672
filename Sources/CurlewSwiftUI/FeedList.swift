#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  /// A list of a ``Feed``: it loads when it appears, loads the next page before its end is reached, supports pull to
  /// refresh, and shows at its end why the next page could not be loaded.
  ///
  /// `activity(of:)` shows the activity indicator.
  ///
  /// ```swift
  /// FeedList(model) { issue in Text(issue.title) }
  ///   .activity(of: model)
  ///   .running(model)
  /// ```
  public struct FeedList<Item: Identifiable & Equatable & Sendable, Row: View>: View
  where Item.ID: Sendable {
    private let feed: Feed<Item>.State
    private let send: @MainActor (Feed<Item>.Event) -> PendingWork
    private let row: (Item) -> Row

    /// Creates a list of a feed that is a part of a screen.
    ///
    /// - Parameters:
    ///   - feed: The feed's state.
    ///   - send: A closure that sends an event of the feed to the screen.
    ///   - row: A closure that returns the view of an item.
    public init(
      _ feed: Feed<Item>.State, send: @escaping @MainActor (Feed<Item>.Event) -> PendingWork,
      @ViewBuilder row: @escaping (Item) -> Row
    ) {
      (self.feed, self.send, self.row) = (feed, send, row)
    }

    /// Creates a list of a feed.
    public init(
      _ model: ScreenModel<Feed<Item>>, @ViewBuilder row: @escaping (Item) -> Row
    ) {
      self.init(model.state, send: { model.send($0) }, row: row)
    }

    /// The list.
    public var body: some View {
      List {
        ForEach(feed.items) { item in
          row(item).onAppear { _ = send(.appeared(item.id)) }
        }
        footer
      }
      .onAppear { _ = send(.load) }
      .refreshable { await send(.refresh).finished() }
    }

    @ViewBuilder private var footer: some View {
      switch feed.status {
      case .failed(let failure, .next):
        VStack(alignment: .leading) {
          Text(failure.message).foregroundStyle(.secondary)
          Button(UserTexts.current.tryAgainButton) { _ = send(.retry) }
        }
      default:
        EmptyView()
      }
    }
  }
#endif
