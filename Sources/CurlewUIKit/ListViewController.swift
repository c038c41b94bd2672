#if canImport(UIKit) && !os(watchOS)
  public import CurlewScreens
  public import UIKit

  /// A list of a screen's items, which looks like a table by default; with the search field of a search.
  ///
  /// It loads when it appears, loads the next page before its end, supports pull to refresh, and shows placeholders.
  open class ListViewController<S: Screen, Item: Identifiable & Equatable & Sendable>:
    ScreenViewController<S>, UICollectionViewDelegate, UISearchResultsUpdating, UISearchBarDelegate
  where Item.ID: Sendable {
    /// The type of the list's presenter.
    public typealias Presenter = ListPresenter<S, Item>
    /// The view of the items.
    public private(set) lazy var collectionView = UICollectionView(
      frame: .zero, collectionViewLayout: makeLayout())
    private lazy var presenter = makePresenter()
    private lazy var source: UICollectionViewDiffableDataSource<Int, Presenter.Row> = {
      let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Presenter.Row> {
        [weak self] cell, _, row in
        guard let self else { return }
        // Not during `update()`, which would miss the change of the state.
        Task { @MainActor in self.send(.display(row)) }
        if let item = presenter[row] { return configure(cell, for: item) }
        let footer = presenter.footer.flatMap { makePlaceholder($0.placeholder) }
        cell.contentConfiguration = footer ?? makeIndicator()
      }
      return UICollectionViewDiffableDataSource(collectionView: collectionView) { view, path, row in
        view.dequeueConfiguredReusableCell(using: cells, for: path, item: row)
      }
    }()

    /// Makes the presenter, which finds the list in the state of a screen that is not itself a list.
    open func makePresenter() -> Presenter { Presenter() }

    /// Configures the cell of an item.
    open func configure(_ cell: UICollectionViewListCell, for item: Item) {}

    /// Handles the selection of an item, which ends when the view appears again.
    open func select(_ item: Item) {}

    /// Makes the view above the list, such as a segmented control or the ``searchBar``; none by default.
    open func makeHeader() -> UIView? { nil }

    /// Makes the content shown instead of items, or of the next page after a failure; `nil` for none.
    open func makePlaceholder(_ placeholder: ListPlaceholder) -> (any UIContentConfiguration)? {
      guard let message = placeholder.message(in: model.activity) else { return nil }
      var content = UIContentUnavailableConfiguration.empty()
      content.text = message
      guard case .failed = placeholder else { return content }
      content.button.title = UserTexts.current.tryAgainButton
      content.buttonProperties.primaryAction = UIAction { [weak self] _ in self?.send(.retry) }
      return content
    }

    /// Makes the layout, by default a table's with swipe actions.
    open func makeLayout() -> UICollectionViewLayout {
      var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
      #if !os(tvOS)
        configuration.trailingSwipeActionsConfigurationProvider = { [weak self] path in
          self?.source.itemIdentifier(for: path).flatMap { self?.presenter[$0] }
            .flatMap { self?.swipeActions(for: $0) }
        }
      #endif
      return UICollectionViewCompositionalLayout.list(using: configuration)
    }

    open override func viewDidLoad() {
      let header = makeHeader()
      let views = UIStackView(arrangedSubviews: [header, collectionView].compactMap(\.self))
      (views.axis, views.translatesAutoresizingMaskIntoConstraints) = (.vertical, false)
      view.addSubview(views)
      let top = header == nil ? view.topAnchor : view.safeAreaLayoutGuide.topAnchor
      NSLayoutConstraint.activate([
        views.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        views.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        views.topAnchor.constraint(equalTo: top),
        views.bottomAnchor.constraint(equalTo: view.keyboardLayoutGuide.topAnchor),
      ])
      collectionView.delegate = self
      setContentScrollView(collectionView)
      #if !os(tvOS)
        view.backgroundColor = .systemBackground
        view.keyboardLayoutGuide.usesBottomSafeArea = false
        collectionView.keyboardDismissMode = .onDrag
        if presenter.event(.refresh) != nil {
          let control = UIRefreshControl()
          collectionView.refreshControl = control
          let refresh = UIAction { [weak self, weak control] _ in
            Task {
              await self?.send(.refresh)?.finished()
              control?.endRefreshing()
            }
          }
          control.addAction(refresh, for: .valueChanged)
        }
        if presenter.event(.submit) != nil {
          (searchBar.autocapitalizationType, searchBar.autocorrectionType) = (.none, .no)
          searchBar.delegate = self
        }
      #endif
      super.viewDidLoad()
    }

    #if !os(tvOS)
      /// The bar of a search.
      public private(set) lazy var searchBar = makeSearchBar()

      /// Makes the bar of a search, by default the navigation item's; or another, for ``makeHeader()``.
      open func makeSearchBar() -> UISearchBar {
        let search = UISearchController(searchResultsController: nil)
        search.obscuresBackgroundDuringPresentation = false
        search.searchResultsUpdater = self
        navigationItem.searchController = search
        definesPresentationContext = true
        return search.searchBar
      }

      /// Returns the swipe actions of an item; none by default.
      open func swipeActions(for item: Item) -> UISwipeActionsConfiguration? { nil }
    #endif

    override func setRunning(_ isRunning: Bool) {
      super.setRunning(isRunning)
      guard isRunning else { return }
      send(.appear)
      collectionView.selectItem(at: nil, animated: true, scrollPosition: [])
    }

    /// Shows the list; a subclass calls `super`.
    open override func update() {
      if let (rows, changed, isAnimated) = presenter.update(to: model.state, model.activity) {
        var snapshot = NSDiffableDataSourceSnapshot<Int, Presenter.Row>()
        snapshot.appendSections([0])
        snapshot.appendItems(rows)
        snapshot.reconfigureItems(changed)
        source.apply(snapshot, animatingDifferences: isAnimated)
      }
      #if !os(tvOS)
        if let text = presenter.text, text != searchBar.text { searchBar.text = text }
      #endif
      let content = presenter.placeholder.flatMap(makePlaceholder)
      if let content, let view = collectionView.backgroundView as? any UIView & UIContentView,
        view.supports(content)
      {
        // Keeps the button that the user may be pressing.
        view.configuration = content
      } else {
        collectionView.backgroundView = content?.makeContentView()
      }
    }

    @discardableResult private func send(_ action: Presenter.Action) -> PendingWork? {
      presenter.event(action).flatMap { model?.send($0) }
    }

    /// Hides the keyboard, and selects the item.
    open func collectionView(_ view: UICollectionView, didSelectItemAt path: IndexPath) {
      self.view.endEditing(true)
      guard let row = source.itemIdentifier(for: path) else { return }
      send(.select(row))
      if let item = presenter[row] { select(item) }
    }

    /// Sends the text; also called when the field receives the focus.
    open func updateSearchResults(for search: UISearchController) {
      send(.type(search.searchBar.text ?? ""))
    }

    /// Sends the text.
    open func searchBar(_ bar: UISearchBar, textDidChange text: String) { send(.type(text)) }

    /// Searches immediately.
    open func searchBarSearchButtonClicked(_ bar: UISearchBar) { send(.submit) }
  }
#endif
