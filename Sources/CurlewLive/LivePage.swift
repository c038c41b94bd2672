public import CurlewScreens

/// A page that shows a screen in a browser: it renders the screen's states as HTML, and maps the browser's address and
/// actions to the screen's events.
///
/// The page works without JavaScript, with ordinary links and forms; with JavaScript, the same
/// markup becomes live. These attributes connect an element to the screen:
/// - `data-live-input="name"` sends the text of a text field while the user types, or the value of
///   another control when it changes.
/// - `data-live-submit="name"` sends an action with all fields when the form is submitted.
/// - `data-live-click="name"` with `data-live-value="value"` sends the value when the link or
///   button is clicked.
/// - `data-live-appear="name"` with `data-live-value="value"` sends the value when the element
///   comes within one screen's height of the viewport, such as the last rows of an endless list.
/// - `data-live-row` makes the element reachable with the up and down arrow keys.
/// - `data-live-escape` makes the Escape key click the element, for example a Close button.
/// - `data-live-focus` gives the element the focus when it appears.
/// - `data-live-key="/"` focuses the field, or clicks the control, when the key is pressed.
/// - `data-live-refused="number"` focuses a form's first field with `aria-invalid="true"` when the
///   number changes.
/// - `data-live-hook="name"` runs a custom script of the page for the element.
/// - `data-live-ignore` excludes the element's content from updates, so that a script can manage it.
public protocol LivePage<Content>: Sendable {
  /// The screen's type.
  associatedtype Content: Screen
  /// Who visits the page, such as the app's user, as ``LiveVisitors`` know it; by default, anyone.
  associatedtype Visitor: Equatable & Sendable = Anyone

  /// The page's path: `/issues`, or with parameters `/repositories/{owner}/{name}`.
  var path: String { get }
  /// The screen.
  var screen: Content { get }
  /// Returns the screen of a session, which belongs to a single visitor; by default, ``screen``.
  func screen(for visitor: Visitor) -> Content
  /// The options of the screen's activity, such as how it learns that the network is back; by default, the network is not
  /// observed.
  var activity: ScreenActivity.Options { get }

  /// Whether all browsers share one screen, such as a public dashboard: an action in one browser changes the display in
  /// all of them, and each state is rendered once. False by default.
  ///
  /// The screen's work is suspended while no browser is connected. Addresses don't change the screen, and its
  /// navigations are ignored.
  var isShared: Bool { get }

  /// Returns whether the page exists for these parameters; otherwise the response is 404.
  ///
  /// By default, it exists for all parameters.
  func exists(for query: LiveQuery) -> Bool
  /// Returns the events that change a state to match an address, given as the parameters of its path followed by its
  /// query parameters.
  func events(for query: LiveQuery, in state: Content.State) -> [Content.Event]
  /// Returns the event for an action in the browser; `nil` for an unknown action.
  func event(for action: LiveAction) -> Content.Event?
  /// Returns the event for an action of a visitor; `nil` for an unknown action, and for one that the visitor may not do.
  ///
  /// By default, ``event(for:)``.
  func event(for action: LiveAction, by visitor: Visitor) -> Content.Event?
  /// Returns the address that restores a state.
  func address(of state: Content.State) -> LiveAddress
  /// Returns the title of the document.
  func title(of state: Content.State) -> String
  /// Returns whether the first response may show a state that is still loading.
  ///
  /// False by default: the response waits for the content, at most ``LiveLimits/renderTime``, so that the page is
  /// complete without JavaScript.
  func isPresentable(_ state: Content.State) -> Bool
  /// Returns the delay after which a browser without JavaScript reloads the page, for a state that
  /// will change by itself; `nil`, the default, for no reload. A page whose failed load is repeated after a countdown is
  /// reloaded then in any case.
  func reloadDelay(of state: Content.State) -> Duration?
  /// The version of the page's markup and assets, such as the app's version: a browser with a document of another
  /// version reloads the document, and keeps the text in its fields. Empty by default.
  var version: String { get }
  /// Returns the part of a state that its address does not contain, for the browser to store: at most 4,096 bytes;
  /// `nil`, the default, to store nothing.
  ///
  /// The value is signed for its visitor, so that clients can't forge it, but not encrypted: the user can read it. A new
  /// session, for example on another server, receives it in ``events(restoring:in:)``, within ``LiveLimits/savedTime``.
  func savedState(of state: Content.State) -> String?
  /// Returns the events that restore the value that a browser has stored; they are sent after the events of its
  /// address.
  func events(restoring kept: String, in state: Content.State) -> [Content.Event]
  /// Renders a state and the screen's activity as HTML.
  ///
  /// The actions `live:dismiss` and `live:retry` with an alert's id as their value dismiss the alert, or repeat its load
  /// (``LivePage/send(_:to:by:)``).
  func render(_ state: Content.State, _ activity: ScreenActivity) -> HTML
  /// Renders the page's content for the frame around it, such as a badge in the navigation, keyed by the
  /// `data-live-slot` names of the frame's elements; none by default.
  func slots(of state: Content.State) -> [String: HTML]
}

extension LivePage {
  /// The default options.
  public var activity: ScreenActivity.Options { ScreenActivity.Options() }

  /// Returns ``screen``.
  public func screen(for visitor: Visitor) -> Content { screen }

  /// Returns ``event(for:)``.
  public func event(for action: LiveAction, by visitor: Visitor) -> Content.Event? {
    event(for: action)
  }

  /// False: each browser has its own screen.
  public var isShared: Bool { false }

  /// Returns true: the page exists for all parameters.
  public func exists(for query: LiveQuery) -> Bool { true }

  /// Returns false: the first response waits for the content.
  public func isPresentable(_ state: Content.State) -> Bool { false }

  /// Returns `nil`: the page is not reloaded.
  public func reloadDelay(of state: Content.State) -> Duration? { nil }

  /// Empty.
  public var version: String { "" }

  /// Returns `nil`: the browser stores only the address and the text in its fields.
  public func savedState(of state: Content.State) -> String? { nil }

  /// Returns no events.
  public func events(restoring kept: String, in state: Content.State) -> [Content.Event] { [] }

  /// Returns no slots.
  public func slots(of state: Content.State) -> [String: HTML] { [:] }

  /// Sends a screen the event for an action, or dismisses or retries its alert; returns false for an unknown action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - runner: The screen's runner.
  ///   - visitor: The visitor who acts; `nil` outside of a router, where ``event(for:)`` decides.
  public func send(
    _ action: LiveAction, to runner: Runner<Content>, by visitor: Visitor? = nil
  ) -> Bool {
    switch (action.name, Int(action.value)) {
    case ("live:dismiss", let alert?): runner.dismiss(alert)
    case ("live:retry", let alert?): runner.retry(alert)
    default:
      let event = if let visitor { event(for: action, by: visitor) } else { event(for: action) }
      guard let event else { return false }
      runner.send(event)
    }
    return true
  }

  /// Returns the parameters of an address's path followed by its query parameters; `nil` when the address does not
  /// belong to this page.
  public func query(of address: String) -> LiveQuery? {
    LivePath(path).query(of: address).flatMap { exists(for: $0) ? $0 : nil }
  }
}
