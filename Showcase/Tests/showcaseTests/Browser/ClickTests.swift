import CurlewLive
import Foundation
import Hummingbird
import Synchronization
import Testing

extension BrowserTests {
  /// What a click or a key does in a browser, it also does on a live page.
  @Suite struct ClickTests {
    private static let buttons = TextsPage(
      "/buttons",
      change: { action, state in
        switch action.name {
        case "filter": state["sent"] = action.fields["q"]
        case "close": state["closed", default: ""] += "x"
        default: state[action.name, default: ""] += "x"
        }
      }
    ) { state in
      """
      <p><a id="file" href="/once">File</a></p>
      <form id="form" data-live-submit="filter" action="/buttons"><input id="q" name="q" value="a">
      <button id="filter">Filter</button> <button id="export" formaction="/export">Export</button></form>
      <p id="sent">\(state["sent"] ?? "")</p>
      <button id="menu" popovertarget="pop" data-live-click="menu">Menu</button>
      <div id="pop" popover><p id="menus">\(state["menu"] ?? "")</p></div>
      <button id="show">Dialog</button><dialog id="dialog"><form method="dialog" data-live-submit="done">
      <button id="done">Done</button></form></dialog><p id="dones">\(state["done"] ?? "")</p>
      <details><summary id="summary" data-live-click="opened">More</summary><p id="opened">\(state["opened"] ?? "")</p></details>
      <div data-live-click="pick"><label id="label"><input type="checkbox" id="box"> Box</label></div>
      <p id="picked">\(state["pick"] ?? "")</p>
      <button id="close" data-live-escape data-live-click="close">Close</button><p id="closed">\(state["closed"] ?? "")</p>
      """
    }

    private func wait(for text: String, in selector: String, of browser: Browser) async throws {
      try await eventually("\(selector) is \(text)") { try await browser.text(selector) == text }
    }

    @Test func `a click that opens something opens it and is sent`() async throws {
      try await withPage(Self.buttons) { browser, _ in
        try await browser.click("#menu")
        try await wait(for: "x", in: "#menus", of: browser)
        #expect(try await browser.has("#pop:popover-open"))
        try await browser.click("#summary")
        try await wait(for: "x", in: "#opened", of: browser)
        #expect(try await browser.has("details[open]"))
        try await browser.run("document.querySelector('#dialog').showModal()")
        try await browser.click("#done")
        try await wait(for: "x", in: "#dones", of: browser)
        #expect(try await !browser.has("#dialog[open]"))
        // The browser clicks the label's control, too.
        try await browser.click("#label")
        try await wait(for: "x", in: "#picked", of: browser)
        #expect(try await browser.has("#box:checked"))
        try await browser.click("#filter")
        try await wait(for: "a", in: "#sent", of: browser)
        #expect(try await browser.text("#picked") == "x")
      }
    }

    @Test func `a button with an address of its own leads there`() async throws {
      try await withPage(
        Self.buttons, prepare: { $0.get("/export") { _, _ in "exported" } }
      ) { browser, origin in
        try await browser.click("#export")
        try await eventually("it is there") {
          try await browser.url == origin + "/export?q=a"
        }
      }
    }

    @Test func `the address of a file is requested once`() async throws {
      let count = Mutex(0)
      try await withPage(
        Self.buttons,
        prepare: { router in
          router.get("/once") { _, _ in
            count.withLock { count in
              count += 1
              return count == 1 ? "the file" : "used already"
            }
          }
        }
      ) { browser, origin in
        try await browser.click("#file")
        try await eventually("it is there") { try await browser.url == origin + "/once" }
        #expect(try await browser.text("body") == "the file")
      }
      #expect(count.withLock { $0 } == 1)
    }

    @Test func `escape closes a menu or a dialog alone`() async throws {
      try await withPage(Self.buttons) { browser, _ in
        try await browser.click("#menu")
        try await wait(for: "x", in: "#menus", of: browser)
        try await browser.type(Key.escape)
        #expect(try await !browser.has("#pop:popover-open"))
        try await browser.run("document.querySelector('#dialog').showModal()")
        try await browser.type(Key.escape)
        #expect(try await !browser.has("#dialog[open]"))
        try await browser.type(Key.escape)
        try await wait(for: "x", in: "#closed", of: browser)
      }
    }

    private static let editor = TextsPage("/editor", ["amount": "5", "time": "10:30"]) { state in
      func input(_ name: String, _ attributes: String = "") -> String {
        """
        <p><input id="\(name)" data-live-input="\(name)" value="\(state[name] ?? "")" \(attributes)></p>
        """
      }
      return """
        \(input("title"))<p><textarea id="body" data-live-input="body">
        \(state["body"] ?? "")</textarea></p>\(input("amount", "type=number"))\(input("time", "type=time"))
        \(input("city", "list=cities"))<datalist id="cities"><option value="Oslo"></datalist>\(input("last"))
        <ul><li><a id="row" href="/editor?row=1" data-live-row>Row</a></li></ul>
        """
    }

    @Test func `arrow keys belong to the fields that use them`() async throws {
      try await withPage(Self.editor) { browser, _ in
        for (id, key) in [
          ("body", Key.up), ("body", Key.down), ("amount", Key.up), ("amount", Key.down),
          ("time", Key.down), ("city", Key.up),
        ] {
          try await browser.run("document.getElementById(arguments[0]).focus()", id)
          try await browser.type(key)
          #expect(try await browser.focus == id)
        }
        try await browser.click("#last")
        for key in [Key.shift, Key.alt, Key.control] {
          try await browser.press(Key.down, with: key)
          #expect(try await browser.focus == "last")
        }
        try await browser.type(Key.down)
        #expect(try await browser.focus == "row")
        try await browser.type(Key.up + Key.up)
        #expect(try await browser.focus == "title")
      }
    }
  }
}
