#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  /// A list of a search's results with its search field: a tap on a row hides the keyboard, Return searches
  /// immediately, and the placeholder for an empty list can be replaced; after a failure, it has a retry button.
  ///
  /// ```swift
  /// SearchList(model, prompt: "Name of a breed") { dog in
  ///   Text(dog.name)
  /// } placeholder: { placeholder in
  ///   if case .empty(let term) = placeholder { Text("No breed begins with \(term).") }
  /// }
  /// .activity(of: model)
  /// .running(model)
  /// ```
  public struct SearchList<Rows: View, Placeholder: View>: View {
    private let rows: Rows
    private let shown: ListPlaceholder?
    private let placeholder: (ListPlaceholder) -> Placeholder
    private let prompt: LocalizedStringKey?
    private let text: Binding<String>
    private let submit: @MainActor () -> Void
    private let retry: @MainActor () -> Void
    #if os(iOS)
      @FocusState private var isSearching: Bool
    #endif

    /// Creates a list of the results of a search that is a part of a screen.
    ///
    /// - Parameters:
    ///   - search: The search's state.
    ///   - prompt: The prompt of the empty field; the system's prompt by default.
    ///   - send: A closure that sends an event of the search to the screen.
    ///   - row: A closure that returns the view of an item.
    ///   - placeholder: A closure that returns the view shown when there are no items.
    public init<Item, Row>(
      _ search: @autoclosure @escaping @MainActor () -> Search<Item>.State,
      prompt: LocalizedStringKey? = nil,
      send: @escaping @MainActor (Search<Item>.Event) -> PendingWork,
      @ViewBuilder row: @escaping (Item) -> Row,
      @ViewBuilder placeholder: @escaping (ListPlaceholder) -> Placeholder = {
        ListPlaceholderView($0)
      }
    ) where Rows == List<Never, ForEach<[Item], Item.ID, Row>>, Item: Identifiable, Row: View {
      let state = search()
      rows = List(state.items, rowContent: row)
      (shown, self.placeholder, self.prompt) = (state.placeholder, placeholder, prompt)
      text = Binding { @MainActor in
        search().text
      } set: { @MainActor text in
        _ = send(.term(text))
      }
      submit = { _ = send(.submit) }
      retry = { _ = send(.retry) }
    }

    /// Creates a list of the results of a paged search that is a part of a screen.
    ///
    /// - Parameters:
    ///   - search: The search's state.
    ///   - prompt: The prompt of the empty field; the system's prompt by default.
    ///   - send: A closure that sends an event of the search to the screen.
    ///   - row: A closure that returns the view of an item.
    ///   - placeholder: A closure that returns the view shown when there are no items.
    public init<Item, Row>(
      _ search: @autoclosure @escaping @MainActor () -> PagedSearch<Item>.State,
      prompt: LocalizedStringKey? = nil,
      send: @escaping @MainActor (PagedSearch<Item>.Event) -> PendingWork,
      @ViewBuilder row: @escaping (Item) -> Row,
      @ViewBuilder placeholder: @escaping (ListPlaceholder) -> Placeholder = {
        ListPlaceholderView($0)
      }
    ) where Rows == FeedList<Item, Row, EmptyView> {
      let state = search()
      rows = FeedList(state.list, nil, { send(.list($0)) }, row) { _ in EmptyView() }
      (shown, self.placeholder, self.prompt) = (state.placeholder, placeholder, prompt)
      text = Binding { @MainActor in
        search().text
      } set: { @MainActor text in
        _ = send(.term(text))
      }
      submit = { _ = send(.submit()) }
      retry = { _ = send(.list(.retry)) }
    }

    /// Creates a list of a search's results.
    public init<Item, Row>(
      _ model: ScreenModel<Search<Item>>, prompt: LocalizedStringKey? = nil,
      @ViewBuilder row: @escaping (Item) -> Row,
      @ViewBuilder placeholder: @escaping (ListPlaceholder) -> Placeholder = {
        ListPlaceholderView($0)
      }
    ) where Rows == List<Never, ForEach<[Item], Item.ID, Row>>, Item: Identifiable, Row: View {
      self.init(
        model.state, prompt: prompt, send: { model.send($0) }, row: row, placeholder: placeholder)
    }

    /// Creates a list of a paged search's results.
    public init<Item, Row>(
      _ model: ScreenModel<PagedSearch<Item>>, prompt: LocalizedStringKey? = nil,
      @ViewBuilder row: @escaping (Item) -> Row,
      @ViewBuilder placeholder: @escaping (ListPlaceholder) -> Placeholder = {
        ListPlaceholderView($0)
      }
    ) where Rows == FeedList<Item, Row, EmptyView> {
      self.init(
        model.state, prompt: prompt, send: { model.send($0) }, row: row, placeholder: placeholder)
    }

    /// The list and its field.
    public var body: some View {
      let list =
        rows
        .overlay { ListOverlay(shown: shown, view: placeholder, retry: retry) }
        .searchable(text: text, prompt: prompt.map { Text($0) })
        .onSubmit(of: .search, submit)
        .autocorrectionDisabled()
      #if os(iOS)
        list
          .searchFocused($isSearching)
          .scrollDismissesKeyboard(.immediately)
          .simultaneousGesture(TapGesture().onEnded { isSearching = false })
          .textInputAutocapitalization(.never)
      #else
        list
      #endif
    }
  }
#endif
