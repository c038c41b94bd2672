@_exported public import Foundation

// https://developer.apple.com/documentation/uikit/uiresponder, /uiview
@MainActor open class UIResponder: NSObject { nonisolated public override init() { super.init() } }
@MainActor open class UIView: UIResponder {
  nonisolated public override init() { super.init() }
  open var isHidden = false
  open var translatesAutoresizingMaskIntoConstraints = true
  open func addSubview(_ view: UIView) {}
  open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var bottomAnchor: NSLayoutYAxisAnchor { fatalError() }
  open var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
  open var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
}
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
  open func viewDidLoad() {}
  open func viewIsAppearing(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  @available(iOS 26.0, tvOS 26.0, visionOS 26.0, *)
  open func updateProperties() {}
  open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {}
  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {}
}
public final class NSCoder {}
public final class Bundle {}
@MainActor open class UINavigationItem: NSObject { open var searchController: UISearchController? }
@MainActor open class UINavigationController: UIViewController {
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
}
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
