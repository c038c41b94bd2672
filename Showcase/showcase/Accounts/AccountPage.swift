import CurlewLive
import CurlewScreens

/// A page of the showcase whose screens have the data sources of their visitors.
struct AccountPage<Page: ShowcasePage>: LivePage {
  let page: Page
  /// Returns the screen with a user's own sources.
  let own: @Sendable (User) -> Page.Content?

  var path: String { page.path }
  var screen: Page.Content { page.screen }
  var activity: ScreenActivity.Options { page.activity }
  var isShared: Bool { page.isShared }
  var version: String { page.version }

  func screen(for visitor: User?) -> Page.Content { visitor.flatMap(own) ?? screen }
  func exists(for query: LiveQuery) -> Bool { page.exists(for: query) }
  func events(for query: LiveQuery, in state: Page.Content.State) -> [Page.Content.Event] {
    page.events(for: query, in: state)
  }
  func event(for action: LiveAction) -> Page.Content.Event? { page.event(for: action) }
  func event(for action: LiveAction, by visitor: User?) -> Page.Content.Event? {
    page.canAct(action, by: visitor) ? page.event(for: action) : nil
  }
  func address(of state: Page.Content.State) -> LiveAddress { page.address(of: state) }
  func title(of state: Page.Content.State) -> String { page.title(of: state) }
  func isPresentable(_ state: Page.Content.State) -> Bool { page.isPresentable(state) }
  func reloadDelay(of state: Page.Content.State) -> Duration? { page.reloadDelay(of: state) }
  func savedState(of state: Page.Content.State) -> String? { page.savedState(of: state) }
  func events(
    restoring kept: String, in state: Page.Content.State
  ) -> [Page.Content.Event] { page.events(restoring: kept, in: state) }
  func render(_ state: Page.Content.State, _ activity: ScreenActivity) -> HTML {
    page.render(state, activity)
  }
  func slots(of state: Page.Content.State) -> [String: HTML] { page.slots(of: state) }
}
