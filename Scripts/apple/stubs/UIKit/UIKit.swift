@_exported public import Foundation

// https://developer.apple.com/documentation/uikit/uiresponder, /uiview
@MainActor open class UIResponder: NSObject { nonisolated public override init() { super.init() } }
@MainActor open class UIView: UIResponder {
  nonisolated public override init() { super.init() }
  open var isHidden = false
  open var translatesAutoresizingMaskIntoConstraints = true
  public init(frame: CGRect) { super.init() }
  open var window: UIWindow? { nil }
  open func addSubview(_ view: UIView) {}
  open func sizeToFit() {}
  @discardableResult open func endEditing(_ force: Bool) -> Bool { true }
  open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var bottomAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
  open var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
}
@MainActor open class UIWindow: UIView { open weak var windowScene: UIWindowScene? }
public struct CGRect: Sendable { public static let zero = CGRect() }
@MainActor public class NSLayoutXAxisAnchor {
  public func constraint(equalTo anchor: NSLayoutXAxisAnchor) -> NSLayoutConstraint { fatalError() }
}
@MainActor public class NSLayoutYAxisAnchor {
  public func constraint(equalTo anchor: NSLayoutYAxisAnchor) -> NSLayoutConstraint { fatalError() }
}
@MainActor public class NSLayoutConstraint {
  public class func activate(_ constraints: [NSLayoutConstraint]) {}
}

// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { super.init() }
  open var view: UIView!
  open var title: String?
  open var navigationItem: UINavigationItem { fatalError() }
  open var presentedViewController: UIViewController? { nil }
  open var viewIfLoaded: UIView? { nil }
  open func loadView() {}
  open func viewDidLoad() {}
  open func viewIsAppearing(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  @available(iOS 26.0, tvOS 26.0, visionOS 26.0, *)
  open func updateProperties() {}
  open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {}
  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {}
}
public final class NSCoder {}
@MainActor open class UINavigationItem: NSObject {
  open var searchController: UISearchController?
  open var prompt: String?
  open var rightBarButtonItem: UIBarButtonItem?
}
// https://developer.apple.com/documentation/uikit/uibarbuttonitem, /uitabbarcontroller
@MainActor open class UIBarItem: NSObject {}
@MainActor open class UIBarButtonItem: UIBarItem {
  public convenience init(customView: UIView) { fatalError() }
}
@MainActor open class UITabBarItem: UIBarItem {
  public convenience init(title: String?, image: UIImage?, tag: Int) { fatalError() }
}
open class UIImage: NSObject, @unchecked Sendable {
  public convenience init?(systemName name: String) { nil }
}
@MainActor open class UITabBarController: UIViewController {
  public init() { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  open var viewControllers: [UIViewController]?
}
extension UIViewController {
  public var tabBarItem: UITabBarItem! { get { nil } set {} }
}
@MainActor open class UINavigationController: UIViewController {
  public init() { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  open var viewControllers: [UIViewController] = []
  public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {}
}

// https://developer.apple.com/documentation/uikit/uialertcontroller
@MainActor open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable { case actionSheet, alert }
  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
  }
  open var message: String?
  open func addAction(_ action: UIAlertAction) {}
}
@MainActor open class UIAlertAction: NSObject {
  public enum Style: Int, Sendable { case `default`, cancel, destructive }
  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { super.init() }
}

// https://developer.apple.com/documentation/uikit/uisearchcontroller
@MainActor open class UISearchController: UIViewController {
  public init(searchResultsController: UIViewController?) { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { fatalError() }
  open var searchBar: UISearchBar { fatalError() }
  open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
  open var obscuresBackgroundDuringPresentation = true
}
@MainActor public protocol UISearchResultsUpdating: AnyObject {
  func updateSearchResults(for searchController: UISearchController)
}
@MainActor open class UISearchBar: UIView {
  open weak var delegate: (any UISearchBarDelegate)?
  open var text: String?
  open var autocapitalizationType = UITextAutocapitalizationType.sentences
  open var autocorrectionType = UITextAutocorrectionType.default
}
public enum UITextAutocapitalizationType: Int, Sendable { case none, words, sentences, allCharacters }
public enum UITextAutocorrectionType: Int, Sendable { case `default`, no, yes }
@MainActor public protocol UISearchBarDelegate: AnyObject {
  func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
}
extension UISearchBarDelegate { public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {} }

// https://developer.apple.com/documentation/uikit/uilabel, /uifont
@MainActor open class UILabel: UIView {
  open var text: String?
  open var textAlignment = NSTextAlignment.natural
  open var font: UIFont!
  open var adjustsFontForContentSizeCategory = false
}
public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }
open class UIFont: NSObject, @unchecked Sendable {
  open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { fatalError() }
  public struct TextStyle: Hashable, Sendable { public static let body = TextStyle() }
}

// https://developer.apple.com/documentation/uikit/uitableview
@MainActor open class UIScrollView: UIView {
  open var refreshControl: UIRefreshControl?
  open var keyboardDismissMode = KeyboardDismissMode.none
  public enum KeyboardDismissMode: Int, Sendable { case none, onDrag, interactive }
}
@MainActor open class UITableView: UIScrollView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public init(frame: CGRect, style: Style) { super.init(frame: frame) }
  open weak var delegate: (any UITableViewDelegate)?
  open var backgroundView: UIView?
  open var tableFooterView: UIView?
  open func register(_ cellClass: AnyObject.Type?, forCellReuseIdentifier identifier: String) {}
  open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    fatalError()
  }
  open func deselectRow(at indexPath: IndexPath, animated: Bool) {}
}
public struct IndexPath: Hashable, Sendable {}
@MainActor public protocol UITableViewDelegate: AnyObject {
  func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
}
@MainActor open class UITableViewCell: UIView {
  open var contentConfiguration: (any UIContentConfiguration)?
  open func defaultContentConfiguration() -> UIListContentConfiguration { fatalError() }
}
@MainActor @preconcurrency public protocol UIContentConfiguration {}
public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
  public var secondaryText: String?
}

// https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource-2euir
@MainActor open class UITableViewDiffableDataSource<
  Section: Hashable & Sendable, Item: Hashable & Sendable
>: NSObject {
  public typealias CellProvider = (
    _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: Item
  ) -> UITableViewCell?
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) { super.init() }
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {}
  open func itemIdentifier(for indexPath: IndexPath) -> Item? { nil }
}
public struct NSDiffableDataSourceSnapshot<
  Section: Hashable & Sendable, Item: Hashable & Sendable
>: Sendable {
  public init() {}
  public mutating func appendSections(_ identifiers: [Section]) {}
  public mutating func appendItems(_ identifiers: [Item], toSection section: Section? = nil) {}
  public mutating func reconfigureItems(_ identifiers: [Item]) {}
}

// https://developer.apple.com/documentation/uikit/uirefreshcontrol, /uiactivityindicatorview
@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let valueChanged = Event(rawValue: 4096)
  }
  open func addAction(_ action: UIAction, for controlEvents: Event) {}
}
@MainActor open class UIRefreshControl: UIControl { open func endRefreshing() {} }
@MainActor open class UIAction: NSObject {
  public convenience init(handler: @escaping (UIAction) -> Void) { self.init() }
}
@MainActor open class UIActivityIndicatorView: UIView {
  public enum Style: Int, Sendable { case medium = 100, large = 101 }
  public init(style: Style) { super.init() }
  open func startAnimating() {}
  open func stopAnimating() {}
}

// https://developer.apple.com/documentation/uikit/uibutton, /uibutton/configuration-swift.struct
@MainActor open class UIButton: UIControl {
  public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) { fatalError() }
  open var configuration: Configuration?
  @available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
  @MainActor @preconcurrency public struct Configuration {
    public nonisolated static func plain() -> Self { fatalError() }
    public var title: String?
    public var subtitle: String?
  }
}

// https://developer.apple.com/documentation/uikit/uiscene, /uiwindowscene
@MainActor open class UIScene: UIResponder {
  nonisolated public class var didEnterBackgroundNotification: NSNotification.Name { fatalError() }
  nonisolated public class var willEnterForegroundNotification: NSNotification.Name { fatalError() }
}
@MainActor open class UIWindowScene: UIScene {}

// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
  open class var shared: UIApplication { fatalError() }
  nonisolated public class var didReceiveMemoryWarningNotification: NSNotification.Name { fatalError() }
  open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { fatalError() }
  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
public struct UIBackgroundTaskIdentifier: Hashable, Sendable { public static let invalid = Self() }
