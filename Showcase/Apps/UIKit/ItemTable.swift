#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import UIKit

  /// A table with a diffable data source, which inserts, moves and removes rows without a reload.
  @MainActor
  final class ItemTable<ID: Hashable & Sendable>: NSObject, UITableViewDelegate {
    typealias Row = (id: ID, title: String, subtitle: String?)

    let view = UITableView(frame: .zero, style: .plain)
    /// Called when a row becomes visible.
    var onAppear: ((ID) -> Void)?
    /// Called when the user taps a row.
    var onPick: ((ID) -> Void)?
    private var rows: [ID: Row] = [:]
    private lazy var source = UITableViewDiffableDataSource<Int, ID>(tableView: view) {
      [weak self] table, path, id in
      let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
      var content = cell.defaultContentConfiguration()
      content.text = self?.rows[id]?.title
      content.secondaryText = self?.rows[id]?.subtitle
      cell.contentConfiguration = content
      return cell
    }

    override init() {
      super.init()
      view.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      view.keyboardDismissMode = .onDrag
      view.delegate = self
    }

    /// Shows rows; reconfigures changed rows.
    func show(_ list: [Row]) {
      let changed = list.filter { row in
        rows[row.id].map { $0.title != row.title || $0.subtitle != row.subtitle } ?? false
      }
      rows = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
      var snapshot = NSDiffableDataSourceSnapshot<Int, ID>()
      snapshot.appendSections([0])
      snapshot.appendItems(list.map(\.id))
      snapshot.reconfigureItems(changed.map(\.id))
      source.apply(snapshot, animatingDifferences: !list.isEmpty)
    }

    func tableView(
      _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
      if let id = source.itemIdentifier(for: indexPath) { onAppear?(id) }
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      tableView.deselectRow(at: indexPath, animated: true)
      tableView.window?.endEditing(true)
      if let id = source.itemIdentifier(for: indexPath) { onPick?(id) }
    }
  }
#endif
