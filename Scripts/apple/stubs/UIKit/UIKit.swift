@_exported public import Foundation

// https://developer.apple.com/documentation/uikit/uiresponder, /uiview
@MainActor open class UIResponder: NSObject { nonisolated public override init() { super.init() } }
@MainActor open class UIView: UIResponder {
  nonisolated public override convenience init() { fatalError() }
  open var isHidden = false
  open var translatesAutoresizingMaskIntoConstraints = true
  public init(frame: CGRect) { super.init() }
  open var window: UIWindow? { nil }
  open var superview: UIView? { nil }
  open var frame: CGRect { get { .zero } set {} }
  open var bounds: CGRect { get { .zero } set {} }
  open var autoresizingMask: AutoresizingMask { get { [] } set {} }
  open var isUserInteractionEnabled = true
  open var backgroundColor: UIColor?
  open var safeAreaLayoutGuide: UILayoutGuide { fatalError() }
  @available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
  open var keyboardLayoutGuide: UIKeyboardLayoutGuide { fatalError() }
  // https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }
  open func addSubview(_ view: UIView) {}
  @discardableResult open func endEditing(_ force: Bool) -> Bool { true }
  open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var bottomAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
  open var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
  open var widthAnchor: NSLayoutDimension { fatalError() }
}
@MainActor open class UIWindow: UIView { open weak var windowScene: UIWindowScene? }
public struct CGRect: Sendable { public static let zero = CGRect() }
public struct CGSize: Sendable { public init(width: Double, height: Double) {} }

// https://developer.apple.com/documentation/uikit/uicolor
open class UIColor: NSObject, @unchecked Sendable {
  @available(iOS 13.0, visionOS 1.0, *) @available(tvOS, unavailable)
  open class var systemBackground: UIColor { fatalError() }
}

// https://developer.apple.com/documentation/uikit/uilayoutguide, /uikeyboardlayoutguide, /uistackview
@MainActor open class UILayoutGuide: NSObject {
  open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var bottomAnchor: NSLayoutYAxisAnchor { fatalError() }
}
@available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
@MainActor open class UITrackingLayoutGuide: UILayoutGuide {}
@available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
@MainActor open class UIKeyboardLayoutGuide: UITrackingLayoutGuide {
  @available(iOS 17.0, visionOS 1.0, *) @available(tvOS, unavailable)
  open var usesBottomSafeArea: Bool { get { true } set {} }
}
@MainActor open class UIStackView: UIView {
  public init(arrangedSubviews views: [UIView]) { super.init(frame: .zero) }
  open var arrangedSubviews: [UIView] { [] }
  open var axis = NSLayoutConstraint.Axis.horizontal
  open var spacing = 0.0
  open func addArrangedSubview(_ view: UIView) {}
  open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {}
}
@MainActor public class NSLayoutXAxisAnchor {
  public func constraint(equalTo anchor: NSLayoutXAxisAnchor) -> NSLayoutConstraint { fatalError() }
}
@MainActor public class NSLayoutDimension {
  public func constraint(equalTo anchor: NSLayoutDimension) -> NSLayoutConstraint { fatalError() }
}
@MainActor public class NSLayoutYAxisAnchor {
  public func constraint(equalTo anchor: NSLayoutYAxisAnchor) -> NSLayoutConstraint { fatalError() }
}
@MainActor public class NSLayoutConstraint {
  public enum Axis: Int, Sendable { case horizontal, vertical }
  open var isActive = false
  public class func activate(_ constraints: [NSLayoutConstraint]) {}
}

// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { super.init() }
  nonisolated public override convenience init() { fatalError() }
  open var view: UIView!
  open var title: String?
  open var navigationItem: UINavigationItem { fatalError() }
  open var navigationController: UINavigationController? { nil }
  open var presentedViewController: UIViewController? { nil }
  open var presentingViewController: UIViewController? { nil }
  open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { nil }
  open var definesPresentationContext = false
  @available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
  open func setContentScrollView(_ scrollView: UIScrollView?) {}
  open var viewIfLoaded: UIView? { nil }
  open var isViewLoaded: Bool { false }
  open func loadView() {}
  open func viewDidLoad() {}
  open func viewIsAppearing(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  @available(iOS 26.0, tvOS 26.0, visionOS 26.0, *)
  open func updateProperties() {}
  open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {}
  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {}
}
public final class NSCoder {}
// https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator
@MainActor public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {}
@MainActor public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
  @discardableResult func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool
}
@MainActor open class UINavigationItem: NSObject {
  @available(iOS 11.0, visionOS 1.0, *) @available(tvOS, unavailable)
  open var searchController: UISearchController? { get { nil } set {} }
  open var prompt: String?
  open var rightBarButtonItem: UIBarButtonItem?
  open var leftBarButtonItem: UIBarButtonItem?
  open var leftItemsSupplementBackButton = false
}
// https://developer.apple.com/documentation/uikit/uibarbuttonitem, /uitabbarcontroller
@MainActor open class UIBarItem: NSObject {}
@MainActor open class UIBarButtonItem: UIBarItem {
  @available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
  public convenience init(
    title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil
  ) { fatalError() }
}
@MainActor open class UITabBarItem: UIBarItem {
  public convenience init(title: String?, image: UIImage?, tag: Int) { fatalError() }
}
open class UIImage: NSObject, @unchecked Sendable {
  public convenience init?(systemName name: String) { nil }
  public convenience init?(data: Data) { nil }
}
@MainActor open class UITabBarController: UIViewController {
  nonisolated public convenience init() { fatalError() }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  open var viewControllers: [UIViewController]?
  open var selectedIndex: Int { get { 0 } set {} }
}
extension UIViewController {
  public var tabBarItem: UITabBarItem! { get { nil } set {} }
}
@MainActor open class UINavigationController: UIViewController {
  public override init(nibName: String?, bundle: Bundle?) { super.init(nibName: nibName, bundle: bundle) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  open weak var delegate: (any UINavigationControllerDelegate)?
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {}
  open var viewControllers: [UIViewController] = []
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {}
  public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
}
// https://developer.apple.com/documentation/uikit/uinavigationcontrollerdelegate
@MainActor public protocol UINavigationControllerDelegate: AnyObject {
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}
extension UINavigationControllerDelegate {
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) {}
}

// https://developer.apple.com/documentation/uikit/uialertcontroller
@MainActor open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable { case actionSheet, alert }
  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
  }
  open var message: String?
  open func addAction(_ action: UIAlertAction) {}
  open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {}
  open var textFields: [UITextField]? { nil }
}
@MainActor open class UIAlertAction: NSObject {
  public enum Style: Int, Sendable { case `default`, cancel, destructive }
  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { super.init() }
}

// https://developer.apple.com/documentation/uikit/uitextfield
@MainActor open class UITextField: UIControl {
  open var text: String?
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
  open var placeholder: String?
  open var autocapitalizationType = UITextAutocapitalizationType.sentences
  open var autocorrectionType = UITextAutocorrectionType.default
}
public enum UITextAutocapitalizationType: Int, Sendable { case none, words, sentences, allCharacters }
public enum UITextAutocorrectionType: Int, Sendable { case `default`, no, yes }
@MainActor public protocol UISearchBarDelegate: AnyObject {
  func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
  func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
}
extension UISearchBarDelegate {
  public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}
  public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {}
}

// https://developer.apple.com/documentation/uikit/uilabel, /uifont
@MainActor open class UILabel: UIView {
  open var text: String?
  open var textAlignment = NSTextAlignment.natural
  open var font: UIFont!
  open var adjustsFontForContentSizeCategory = false
  open var numberOfLines = 1
}
public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }
open class UIFont: NSObject, @unchecked Sendable {
  open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { fatalError() }
  public struct TextStyle: Hashable, Sendable { public static let body = TextStyle(), title2 = TextStyle() }
}

// https://developer.apple.com/documentation/uikit/uiscrollview
@MainActor open class UIScrollView: UIView {
  @available(tvOS, unavailable)
  open var refreshControl: UIRefreshControl? { get { nil } set {} }
  @available(tvOS, unavailable)
  open var keyboardDismissMode: KeyboardDismissMode { get { .none } set {} }
  open var contentLayoutGuide: UILayoutGuide { fatalError() }
  open var frameLayoutGuide: UILayoutGuide { fatalError() }
  public enum KeyboardDismissMode: Int, Sendable { case none, onDrag, interactive }
}

// https://developer.apple.com/documentation/uikit/uicollectionview
@MainActor open class UICollectionView: UIScrollView {
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) { super.init(frame: frame) }
  open weak var delegate: (any UICollectionViewDelegate)?
  open var backgroundView: UIView?
  open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {}
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  // https://developer.apple.com/documentation/uikit/uicollectionview/cellregistration
  @available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
  @MainActor @preconcurrency public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void
    public init(handler: @escaping Handler) {}
  }
  @available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell { fatalError() }
}
public struct IndexPath: Hashable, Sendable {}
// https://developer.apple.com/documentation/uikit/uicollectionviewdelegate
@MainActor public protocol UICollectionViewDelegate: AnyObject {
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
}
@MainActor open class UICollectionViewCell: UIView {
  @available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
  open var contentConfiguration: (any UIContentConfiguration)?
}
// https://developer.apple.com/documentation/uikit/uicollectionviewlistcell
@available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  open func defaultContentConfiguration() -> UIListContentConfiguration { fatalError() }
  open var accessories: [UICellAccessory] { get { [] } set {} }
}
// https://developer.apple.com/documentation/uikit/uicellaccessory-swift.struct
@available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
@MainActor @preconcurrency public struct UICellAccessory {
  public enum DisplayedState: Sendable { case always, whenEditing, whenNotEditing }
  public enum Placement { case leading(displayed: DisplayedState = .always), trailing(displayed: DisplayedState = .always) }
  @MainActor @preconcurrency public struct CustomViewConfiguration {
    public init(customView: UIView, placement: Placement) {}
  }
  public static func customView(configuration: CustomViewConfiguration) -> UICellAccessory { fatalError() }
}
@MainActor open class UICollectionViewLayout: NSObject {}
// https://developer.apple.com/documentation/uikit/uicollectionviewcompositionallayout
@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  @available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
  open class func list(using configuration: UICollectionLayoutListConfiguration)
    -> UICollectionViewCompositionalLayout
  { fatalError() }
}
// https://developer.apple.com/documentation/uikit/uicollectionlayoutlistconfiguration-swift.struct
@available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
@MainActor @preconcurrency public struct UICollectionLayoutListConfiguration {
  @available(tvOS, unavailable)
  public typealias SwipeActionsConfigurationProvider = (_ indexPath: IndexPath) -> UISwipeActionsConfiguration?
  public enum Appearance: Sendable { case plain, grouped }
  public init(appearance: Appearance) {}
  @available(tvOS, unavailable)
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider? {
    get { nil } set {}
  }
}
// https://developer.apple.com/documentation/uikit/uiswipeactionsconfiguration
@available(iOS 11.0, visionOS 1.0, *) @available(tvOS, unavailable)
@MainActor open class UISwipeActionsConfiguration: NSObject {}

// https://developer.apple.com/documentation/uikit/uicontentconfiguration-swift.protocol, /uicontentview-swift.protocol
@MainActor @preconcurrency public protocol UIContentConfiguration {
  @MainActor func makeContentView() -> any UIView & UIContentView
  func updated(for state: any UIConfigurationState) -> Self
}
@MainActor public protocol UIContentView: NSObjectProtocol {
  var configuration: any UIContentConfiguration { get set }
  @available(iOS 16.0, tvOS 16.0, visionOS 1.0, *)
  func supports(_ configuration: any UIContentConfiguration) -> Bool
}
extension UIContentView {
  public func supports(_ configuration: any UIContentConfiguration) -> Bool { true }
}
@MainActor @preconcurrency public protocol UIConfigurationState {}
// https://developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct, /uilistcontentview
@MainActor @preconcurrency public struct UIListContentConfiguration: UIContentConfiguration {
  public static func subtitleCell() -> Self { fatalError() }
  public var text: String?
  public var secondaryText: String?
  public var image: UIImage?
  public var imageProperties: ImageProperties { get { fatalError() } set {} }
  public struct ImageProperties: Sendable {
    public var maximumSize: CGSize
    public var reservedLayoutSize: CGSize
  }
  public func makeContentView() -> any UIView & UIContentView { fatalError() }
  public func updated(for state: any UIConfigurationState) -> Self { self }
}
@MainActor open class UIListContentView: UIView, UIContentView {
  public init(configuration: UIListContentConfiguration) { super.init(frame: .zero) }
  open var configuration: any UIContentConfiguration { get { fatalError() } set {} }
}

// https://developer.apple.com/documentation/uikit/uicollectionviewdiffabledatasource-9tqpa
@MainActor open class UICollectionViewDiffableDataSource<
  Section: Hashable & Sendable, Item: Hashable & Sendable
>: NSObject {
  public typealias CellProvider = (
    _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: Item
  ) -> UICollectionViewCell?
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) { super.init() }
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
@available(tvOS, unavailable)
@MainActor open class UIRefreshControl: UIControl { open func endRefreshing() {} }
@MainActor open class UIAction: NSObject {
  public convenience init(
    title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void
  ) { self.init() }
}
// https://developer.apple.com/documentation/uikit/uimenu, /uisegmentedcontrol, /uiimageview
@MainActor open class UIMenu: NSObject {
  public convenience init(title: String = "", children: [UIAction] = []) { self.init() }
}
@MainActor open class UISegmentedControl: UIControl {
  @available(iOS 14.0, tvOS 14.0, visionOS 1.0, *)
  public convenience init(frame: CGRect, actions: [UIAction]) { fatalError() }
  open var selectedSegmentIndex: Int { get { 0 } set {} }
}
@MainActor open class UIImageView: UIView {
  open var image: UIImage?
  open var contentMode: ContentMode { get { .scaleToFill } set {} }
}
extension UIView { public enum ContentMode: Int, Sendable { case scaleToFill, scaleAspectFit } }
// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/isaccessibilityelement
extension UIView {
  public var isAccessibilityElement: Bool { get { false } set {} }
  public var accessibilityLabel: String? { get { nil } set {} }
}
@MainActor open class UIActivityIndicatorView: UIView {
  public enum Style: Int, Sendable { case medium = 100, large = 101 }
  public init(style: Style) { super.init(frame: .zero) }
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
