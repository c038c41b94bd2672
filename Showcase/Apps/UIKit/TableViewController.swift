#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import UIKit

  /// A view controller with a table of a feed's items, a search field and alerts.
  class TableViewController<S: Screen, ID: Hashable & Sendable>: ScreenViewController<S>,
    UISearchResultsUpdating, UISearchBarDelegate
  {
    let table = ItemTable<ID>()
    private let presenter = ActivityPresenter()
    private let indicator = UIActivityIndicatorView(style: .large)

    /// The text in the search field; `nil` without a search field.
    var text: String? { nil }

    /// Handles a change of the text in the search field.
    func type(_ text: String) {}

    /// Searches immediately.
    func submit() {}

    /// Starts a refresh.
    func refresh() -> PendingWork? { nil }

    /// Repeats a failed load.
    func retry() {}

    override func loadView() { view = table.view }

    override func viewDidLoad() {
      if let text {
        let search = UISearchController(searchResultsController: nil)
        search.searchBar.text = text
        search.searchBar.autocapitalizationType = .none
        search.searchBar.autocorrectionType = .no
        search.searchBar.delegate = self
        search.obscuresBackgroundDuringPresentation = false
        search.searchResultsUpdater = self
        navigationItem.searchController = search
      }
      let control = UIRefreshControl()
      control.addAction(
        UIAction { [weak self, weak control] _ in
          Task {
            await self?.refresh()?.finished()
            control?.endRefreshing()
          }
        }, for: .valueChanged)
      table.view.refreshControl = control
      table.view.backgroundView = indicator
      super.viewDidLoad()
    }

    override func update() {
      if !model.activity.loading.isEmpty {
        indicator.startAnimating()
      } else {
        indicator.stopAnimating()
      }
      presenter.present(model, over: self)
    }

    /// Shows a placeholder if there are no items.
    func show(_ placeholder: ListPlaceholder?, initial: String? = nil) {
      var configuration = UIContentUnavailableConfiguration.empty()
      switch placeholder {
      case .empty: configuration = .search()
      case .hint(let hint): configuration.text = hint
      case .failed(let failure):
        configuration.text = failure.message
        configuration.button.title = UserTexts.current.tryAgainButton
        configuration.buttonProperties.primaryAction = UIAction { [weak self] _ in self?.retry() }
      case .initial where initial != nil: configuration.text = initial
      case .initial, .loading, nil:
        contentUnavailableConfiguration = nil
        return
      }
      contentUnavailableConfiguration = configuration
    }

    /// Shows below the rows why the next page could not be loaded, with a retry button.
    func show(_ footer: ListFooter?) {
      guard case .failed(let failure) = footer else {
        table.view.tableFooterView = nil
        return
      }
      var configuration = UIButton.Configuration.plain()
      configuration.title = UserTexts.current.tryAgainButton
      configuration.subtitle = failure.message
      table.view.tableFooterView = UIButton(
        configuration: configuration,
        primaryAction: UIAction { [weak self] _ in self?.retry() })
      table.view.tableFooterView?.sizeToFit()
    }

    func updateSearchResults(for searchController: UISearchController) {
      let typed = searchController.searchBar.text ?? ""
      // This method is also called when the field becomes first responder.
      if typed != text { type(typed) }
    }

    func searchBarSearchButtonClicked(_ searchBar: UISearchBar) { submit() }
  }
#endif
