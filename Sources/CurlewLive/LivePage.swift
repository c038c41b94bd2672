public import CurlewScreens

/// A screen in a browser: the screen, how one state looks, and how the browser's address and
/// actions correspond to its events.
///
/// The page works without JavaScript, as links and forms that ask for an address; with it, the
/// same markup becomes live. In the HTML,
/// - `data-live-input="name"` on a field sends its text as it is typed, on a choice what is chosen,
/// - `data-live-submit="name"` on a form sends when it is submitted,
/// - `data-live-click="name"` with `data-live-value="value"` on a link or a button sends when it is
///   picked,
/// - `data-live-appear="name"` with `data-live-value="value"` sends when the element comes within a
///   screen's height of the view, as the last rows of an endless list do,
/// - `data-live-row` lets the up and down keys reach the element,
/// - `data-live-escape` on what closes something is pressed with Escape, and
/// - `data-live-focus` on an element gives it the focus when it appears.
public protocol LivePage<Content>: Sendable {
  /// The screen's type.
  associatedtype Content: Screen

  /// The page's path: `/issues`, or with parameters `/repositories/{owner}/{name}`.
  var path: String { get }
  /// The screen.
  var screen: Content { get }

  /// Returns whether there is a place with these parameters in its path; where there is none, the
  /// response is 404. There always is, unless a page says otherwise.
  func isPlace(_ query: LiveQuery) -> Bool
  /// Returns the events that bring a screen from a state to what an address says: the parameters
  /// in the page's path, then the query.
  func events(for query: LiveQuery, in state: Content.State) -> [Content.Event]
  /// Returns the event that an action in the browser means; `nil` for none.
  func event(for action: LiveAction) -> Content.Event?
  /// Returns the address that brings a state back.
  func address(of state: Content.State) -> LiveAddress
  /// Returns the title of the window.
  func title(of state: Content.State) -> String
  /// Returns whether a state that still loads is worth showing: where it is, a page that is asked for
  /// is sent at once. It isn't, unless a page says otherwise: a whole page needs no script.
  func isPresentable(_ state: Content.State) -> Bool
  /// Returns after how long a browser without JavaScript asks for the page again, because the screen
  /// goes on by itself then; never, unless a page says otherwise.
  func reloadDelay(of state: Content.State) -> Duration?
  /// Draws a state.
  func render(_ state: Content.State) -> HTML
}

extension LivePage {
  /// Says that each path leads to a place.
  public func isPlace(_ query: LiveQuery) -> Bool { true }

  /// Says that what still loads is awaited.
  public func isPresentable(_ state: Content.State) -> Bool { false }

  /// Leaves a page as it is.
  public func reloadDelay(of state: Content.State) -> Duration? { nil }

  /// Returns what an address says, the parameters of its path first; `nil` when it leads to no place
  /// of this page.
  public func query(of address: String) -> LiveQuery? {
    LivePath(path).query(of: address).flatMap { isPlace($0) ? $0 : nil }
  }
}

/// Something that a user did in the browser.
public struct LiveAction: Sendable, Equatable {
  /// What it is called in the markup.
  public let name: String
  /// The text of the field, or the value of the link.
  public let value: String

  /// Creates an action.
  public init(name: String, value: String = "") {
    self.name = name
    self.value = value
  }
}

/// Where a state is to be found again.
public struct LiveAddress: Sendable, Equatable {
  /// The path; `nil` for the page's own.
  public let path: String?
  /// The query after the path.
  public let query: LiveQuery
  /// Whether a user would want to come back here with the back button; what they only pass
  /// through, such as half a word, is not a place.
  public let isPlace: Bool

  /// Creates an address; a page whose path has parameters must say it.
  public init(path: String? = nil, _ query: LiveQuery = [:], isPlace: Bool = true) {
    self.path = path
    self.query = query
    self.isPlace = isPlace
  }
}
