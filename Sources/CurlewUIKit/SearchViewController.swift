#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import CurlewScreens
  public import UIKit

  /// A search screen for items of any type, with replaceable views for content, loading, no results and errors.
  ///
  /// A subclass makes the content view, and shows the items; the other views have defaults.
  ///
  /// ```swift
  /// final class DogsViewController: SearchViewController<Dog> {
  ///   private let table = DogsTable()
  ///   override func makeContentView() -> UIView { table }
  ///   override func show(_ dogs: [Dog]) { table.show(dogs) }
  /// }
  /// ```
  open class SearchViewController<Item: Equatable & Sendable>: ScreenViewController<Search<Item>>,
    UISearchResultsUpdating, UISearchBarDelegate
  {
    private let presenter = ActivityPresenter()
    private let indicator = UIActivityIndicatorView(style: .medium)
    private let emptyLabel = SearchViewController.label("")
    private lazy var errorButton = UIButton(
      configuration: .plain(), primaryAction: UIAction { [weak self] _ in self?.model.send(.retry) }
    )
    private lazy var views = Views(
      content: makeContentView(), loading: makeLoadingView(), empty: makeEmptyView(),
      error: makeErrorView())

    private struct Views {
      let content, loading, empty, error: UIView

      var all: [UIView] { [content, loading, empty, error] }
    }

    /// Creates a view controller for a search.
    public convenience init(_ search: Search<Item>) {
      self.init(ScreenModel(search))
    }

    /// Makes the content view, which shows the items.
    open func makeContentView() -> UIView {
      preconditionFailure("\(Self.self) does not override makeContentView()")
    }

    /// Makes the view shown while the first results are loading.
    open func makeLoadingView() -> UIView { Self.label(UserTexts.current.loading) }

    /// Makes the view shown when there are no results.
    open func makeEmptyView() -> UIView { emptyLabel }

    /// Makes the view shown after an error without earlier results, by default a retry button with the error's text.
    ///
    /// An error after earlier results is presented as an alert.
    open func makeErrorView() -> UIView { errorButton }

    /// Shows the items in the content view.
    open func show(_ items: [Item]) {}

    /// Adds the views and the search bar.
    open override func viewDidLoad() {
      for view in views.all {
        view.translatesAutoresizingMaskIntoConstraints = false
        self.view.addSubview(view)
        NSLayoutConstraint.activate([
          view.topAnchor.constraint(equalTo: self.view.topAnchor),
          view.bottomAnchor.constraint(equalTo: self.view.bottomAnchor),
          view.leadingAnchor.constraint(equalTo: self.view.leadingAnchor),
          view.trailingAnchor.constraint(equalTo: self.view.trailingAnchor),
        ])
      }
      let search = UISearchController(searchResultsController: nil)
      search.searchBar.delegate = self
      search.obscuresBackgroundDuringPresentation = false
      search.searchBar.text = model.state.text
      search.searchBar.autocapitalizationType = .none
      search.searchBar.autocorrectionType = .no
      search.searchResultsUpdater = self
      navigationItem.searchController = search
      navigationItem.rightBarButtonItem = UIBarButtonItem(customView: indicator)
      super.viewDidLoad()
    }

    /// Shows the state; a subclass calls `super` first.
    open override func update() {
      let search = model.state
      show(search.items)
      let view =
        switch search.placeholder {
        case .loading: model.activity.loading.isEmpty ? views.content : views.loading
        case .empty: views.empty
        case .failed: views.error
        case .initial, .hint, nil: views.content
        }
      navigationItem.prompt = search.hint
      for other in views.all { other.isHidden = other !== view }
      if case .empty(let term) = search.placeholder {
        emptyLabel.text = UserTexts.current.noResults(for: term)
      }
      if case .failed(let failure) = search.placeholder {
        errorButton.configuration?.title = UserTexts.current.tryAgainButton
        errorButton.configuration?.subtitle = failure.message
      }
      // The indicator also appears beside earlier results.
      if !model.activity.loading.isEmpty {
        indicator.startAnimating()
      } else {
        indicator.stopAnimating()
      }
      presenter.present(model, over: self)
    }

    /// Sends the typed text; also called when the field receives the focus.
    open func updateSearchResults(for searchController: UISearchController) {
      let text = searchController.searchBar.text ?? ""
      if text != model.state.text { model.send(.term(text)) }
    }

    /// Searches immediately.
    open func searchBarSearchButtonClicked(_ searchBar: UISearchBar) { model.send(.submit) }

    private static func label(_ text: String) -> UILabel {
      let label = UILabel()
      label.text = text
      label.textAlignment = .center
      label.font = .preferredFont(forTextStyle: .body)
      label.adjustsFontForContentSizeCategory = true
      return label
    }
  }
#endif
