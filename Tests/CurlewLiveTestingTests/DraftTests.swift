import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Hummingbird
import Testing

/// The code of `CurlewLive.md` for a draft of a guest, who then signs in.
@Suite(.timeLimit(.minutes(1)))
struct DraftTests {
  struct Report: Screen {
    struct State: Equatable, Sendable {
      let user: String
      var text = ""
    }
    enum Event: Sendable { case text(String) }
    let user: String
    var initial: State { State(user: user) }
    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      if case .text(let text) = event { state.text = text }
    }
  }

  struct ReportPage: LivePage {
    typealias Visitor = String  // empty for a guest
    let path = "/report"
    var screen: Report { screen(for: "") }
    func screen(for visitor: String) -> Report { Report(user: visitor) }
    func event(for action: LiveAction) -> Report.Event? { .text(action.value) }
    func title(of state: Report.State) -> String { "Report" }

    func address(of state: Report.State) -> LiveAddress {
      let isDraft = state.user.isEmpty && !state.text.isEmpty
      return LiveAddress(["draft": isDraft ? state.text : nil], isHistoryEntry: !isDraft)
    }
    func events(for query: LiveQuery, in state: Report.State) -> [Report.Event] {
      query["draft"].map { [.text($0)] } ?? []
    }
    func render(_ state: Report.State, _ activity: ScreenActivity) -> HTML {
      let query: LiveQuery = ["return": path + address(of: state).query.text]
      let link = state.user.isEmpty ? "<a href=\"/sign-in\(query.text)\">Sign in to send</a>" : ""
      let text = HTML(text: state.text).text
      return HTML(
        trusted: "<p id=\"text\"><textarea data-live-input=\"text\" aria-label=\"Report\">\n\(text)"
          + "</textarea></p><p id=\"send\">\(link)</p>")
    }
  }

  @Test(arguments: [true, false]) func `a draft is there after the sign in`(javaScript: Bool)
    async throws
  {
    let clock = TestClock(executor: TestExecutor())
    let visitors = LiveVisitors<String, BasicRequestContext>(id: \.self) { request, _ in
      request.headers[.cookie]?.trimmingPrefix("user=").description ?? ""
    }
    let router = Router()
    router.add(ReportPage(), visitors: visitors, clock: clock) { $0.content }
    router.get("sign-in") { request, _ in
      let address = visitors.address(returningTo: LiveQuery(request.uri.query ?? "")["return"])
      return Response(
        status: .seeOther, headers: [.location: address, .setCookie: "user=ada; HttpOnly"])
    }
    let draft = javaScript ? "A kiwi & a \"weka\"" : "A kiwi"
    let start = javaScript ? "/report" : "/report?draft=A%20kiwi"
    let page = try await PageProbe(router, start, clock: clock, javaScript: javaScript)
    if javaScript { try await page.type("Report", draft) }
    let session = page.document.attribute("data-live-session", of: "#live")
    try await page.click("Sign in to send")
    #expect(page.fields["Report"] == draft && !page.document.has("a"))
    #expect(page.document.attribute("data-live-session", of: "#live") != session)
    #expect(!javaScript || page.address == "/report", "nothing of a user is in the history")
  }
}
