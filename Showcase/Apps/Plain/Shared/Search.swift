import SwiftUI

// MARK: Views

protocol SearchResult { var isEmpty: Bool { get } }

extension Array: SearchResult {}

typealias SearchQuery = LosslessStringConvertible & Equatable & Sendable

/// Searches for the field's text after a debounce of half a second, or immediately upon Return.
@MainActor @Observable final class Search<Query: SearchQuery, Value: SearchResult & Sendable> {
  enum Hint { case start, invalid }

  var text: String { didSet { if text != oldValue { textChanged() } } }
  let loader: Loader<Query, Value>
  /// Stays set when the view disappears, to indicate that a search is pending.
  @ObservationIgnored private var debounce: Task<Void, Never>?

  init(_ loader: Loader<Query, Value>) {
    self.loader = loader
    text = loader.input?.description ?? ""
  }

  var hint: Hint? {
    if term.isEmpty { return .start }
    return query == nil ? .invalid : nil
  }

  private var term: String { text.trimmingCharacters(in: .whitespaces) }
  private var query: Query? { term.isEmpty ? nil : Query(term) }

  func submit() {
    debounce?.cancel()
    debounce = nil
    if let query { loader.loadIfNew(query) }
  }

  func suspend() { debounce?.cancel() }

  func resume() { if debounce != nil { submit() } }

  private func textChanged() {
    debounce?.cancel()
    debounce = nil
    switch hint {
    case .start?: loader.reset()
    case .invalid?: loader.cancel()
    case nil:
      debounce = Task {
        try? await Task.sleep(for: .milliseconds(500))
        guard !Task.isCancelled else { return }
        submit()
      }
    }
  }
}

/// A search field and its results; each default text can be replaced by a view.
struct SearchScreen<Query: SearchQuery, Value: SearchResult & Sendable, Content: View>: View {
  private let search: Search<Query, Value>
  private let prompt: LocalizedStringKey
  private let content: (Value) -> Content
  private var startView = AnyView(ContentUnavailableView("Search", systemImage: "magnifyingglass"))
  private var hintView = AnyView(
    ContentUnavailableView("Not a Search Term", systemImage: "questionmark"))
  private var loadingView = AnyView(ProgressView("Searching…"))
  private var noResultsView: (String) -> AnyView = {
    AnyView(ContentUnavailableView.search(text: $0))
  }
  private var failureView: (String) -> AnyView = {
    AnyView(
      ContentUnavailableView(
        "Nothing Loaded", systemImage: "exclamationmark.triangle", description: Text($0)))
  }

  init(
    _ search: Search<Query, Value>, prompt: LocalizedStringKey,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.search = search
    self.prompt = prompt
    self.content = content
  }

  var body: some View {
    ZStack {
      switch search.hint {
      case .start?: startView
      case .invalid?: hintView
      case nil: results
      }
    }.frame(maxWidth: .infinity, maxHeight: .infinity).searchable(
      text: Bindable(search).text, placement: .navigationBarDrawer(displayMode: .always),
      prompt: prompt
    ).textInputAutocapitalization(.never).autocorrectionDisabled().onSubmit(of: .search) {
      search.submit()
    }.onAppear { search.resume() }.onDisappear { search.suspend() }.loads(
      with: search.loader, spinner: loadingView)
  }

  @ViewBuilder private var results: some View {
    if let value = search.loader.value, let query = search.loader.loadedInput {
      if value.isEmpty { noResultsView(query.description) } else { content(value) }
    } else if let failure = search.loader.failure {
      failureView(failure.message)
    }
  }

  func start(@ViewBuilder _ view: () -> some View) -> Self {
    with { $0.startView = AnyView(view()) }
  }

  func hint(@ViewBuilder _ view: () -> some View) -> Self { with { $0.hintView = AnyView(view()) } }

  func loading(@ViewBuilder _ view: () -> some View) -> Self {
    with { $0.loadingView = AnyView(view()) }
  }

  func noResults(@ViewBuilder _ view: @escaping (_ term: String) -> some View) -> Self {
    with { $0.noResultsView = { AnyView(view($0)) } }
  }

  func failure(@ViewBuilder _ view: @escaping (_ reason: String) -> some View) -> Self {
    with { $0.failureView = { AnyView(view($0)) } }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}
