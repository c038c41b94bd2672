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
    private lazy var source = UICollectionViewDiffableDataSource<Int, Presenter.Row>(
      collectionView: collectionView
    ) { [registration] view, path, row in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: row)
    }
    private lazy var registration = UICollectionView.CellRegistration<
      UICollectionViewListCell, Presenter.Row
    > { [weak self] cell, _, row in
      guard let self else { return }
      if let item = presenter[row] { return configure(cell, for: item) }
      if case .failed(let failure) = presenter.footer {
        cell.contentConfiguration = makePlaceholder(.failed(failure))
      } else {
        cell.contentConfiguration = makeIndicator()
      }
    }

    /// Makes the presenter, which finds the list in the screen's state.
    open func makePresenter() -> Presenter {
      preconditionFailure("\(Self.self) does not override makePresenter()")
    }

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

    /// Adds the views.
    open override func viewDidLoad() {
      let header = makeHeader()
      let views = UIStackView(arrangedSubviews: [header, collectionView].compactMap(\.self))
      views.axis = .vertical
      views.translatesAutoresizingMaskIntoConstraints = false
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
        addControls()
      #endif
      super.viewDidLoad()
    }

    #if !os(tvOS)
      /// The bar of a search, in the navigation item if it is not in the header.
      public private(set) lazy var searchBar = UISearchBar()

      /// Returns the swipe actions of an item; none by default.
      open func swipeActions(for item: Item) -> UISwipeActionsConfiguration? { nil }

      private func addControls() {
        collectionView.keyboardDismissMode = .onDrag
        if presenter.event(.refresh) != nil {
          let control = UIRefreshControl()
          let refresh = UIAction { [weak self, weak control] _ in
            Task {
              await self?.send(.refresh)?.finished()
              control?.endRefreshing()
            }
          }
          control.addAction(refresh, for: .valueChanged)
          collectionView.refreshControl = control
        }
        guard presenter.event(.submit) != nil else { return }
        if searchBar.superview == nil {
          let search = UISearchController(searchResultsController: nil)
          search.obscuresBackgroundDuringPresentation = false
          search.searchResultsUpdater = self
          navigationItem.searchController = search
          definesPresentationContext = true
          searchBar = search.searchBar
        }
        (searchBar.autocapitalizationType, searchBar.autocorrectionType) = (.none, .no)
        searchBar.delegate = self
      }
    #endif

    override func setRunning(_ isRunning: Bool) {
      super.setRunning(isRunning)
      guard isRunning else { return }
      send(.appear)
      for path in collectionView.indexPathsForSelectedItems ?? [] {
        collectionView.deselectItem(at: path, animated: true)
      }
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

    /// Tells the presenter about a row.
    open func collectionView(
      _ view: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt path: IndexPath
    ) {
      guard let row = source.itemIdentifier(for: path) else { return }
      // A change of the state during `update()` would be missed.
      Task { send(.display(row)) }
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
      searchBar(search.searchBar, textDidChange: search.searchBar.text ?? "")
    }

    /// Sends the text.
    open func searchBar(_ bar: UISearchBar, textDidChange text: String) {
      if text != presenter.text { send(.type(text)) }
    }

    /// Searches immediately.
    open func searchBarSearchButtonClicked(_ bar: UISearchBar) { send(.submit) }
  }
#endif
