import CurlewLive
import Testing

extension BrowserTests {
  /// A choice is the user's, wherever the server moves it.
  @Suite struct ChoiceTests {
    private static let list = TextsPage(
      "/list", ["list": "abc"],
      change: { action, state in
        switch action.name {
        case "list": state["list"] = action.value
        case "send":
          state["sent"] = action.fields.items.map { $0.name + $0.value }.joined(separator: " ")
        default: state[action.name] = action.value
        }
      }
    ) { state in
      func rows(_ row: (Character) -> String) -> String { (state["list"] ?? "").map(row).joined() }
      let lists = ["nabc", "cbna", "bac", "ab", "nd"].map {
        "<button type=\"button\" id=\"\($0)\" data-live-click=\"list\" data-live-value=\"\($0)\">\($0)</button>"
      }
      return """
        <p id="shown">\(state["list"] ?? "")</p><form data-live-submit="send">
        <p><select id="city" name="city">\(rows { "<option value=\"\($0)\">City \($0)</option>" })</select></p>
        <ul>\(rows { "<li><label><input type=\"checkbox\" name=\"tag\" value=\"\($0)\"> \($0)</label></li>" })</ul>
        <p>\(rows { "<label>\($0) <input type=\"radio\" name=\"plan\" value=\"\($0)\"></label>" })</p>
        <button id="send">Send</button></form>\(lists.joined())
        <p id="sent">\(state["sent"] ?? "")</p>
        """
    }

    @Test func `choices move with their options`() async throws {
      try await withPage(Self.list) { browser, _ in
        func show(_ list: String) async throws {
          // Without a click, which would move the focus.
          try await browser.run("document.getElementById(arguments[0]).click()", list)
          try await eventually("\(list) is shown") { try await browser.text("#shown") == list }
        }
        func send() async throws -> String {
          try await browser.run("document.querySelector('form').requestSubmit()")
          try await eventually("it is sent") { try await !browser.text("#sent").isEmpty }
          let sent = try await browser.text("#sent")
          return sent
        }
        try await browser.run("document.querySelector('#city').focus()")
        try await browser.type("City c")
        try await browser.click("[name=tag][value=b]")
        try await browser.click("[name=plan][value=c]")
        for list in ["nabc", "cbna", "bac"] {
          try await show(list)
          #expect(try await browser.value("#city") == "c")
          #expect(try await browser.has("[name=tag][value=b]:checked"))
          #expect(try await browser.has("[name=plan][value=c]:checked"))
          #expect(try await browser.evaluate("document.activeElement.value === 'c'"))
          #expect(try await browser.all(":checked").count == 3)
        }
        #expect(try await send() == "cityc tagb planc")
        // What is chosen is removed, and no other choice takes its position.
        try await show("ab")
        #expect(try await browser.all("input:checked").count == 1)
        try await show("nd")
        #expect(try await browser.all("input:checked").isEmpty)
      }
    }

    private static let preferences = TextsPage(
      "/preferences", ["size": "s"],
      change: { action, state in
        switch action.name {
        case "dark": state["dark"] = state["dark"] == nil ? "checked" : nil
        default: state[action.name] = action.value
        }
      }
    ) { state in
      func options(_ name: String) -> String {
        ["s", "m", "l"].map {
          let isChosen = (state[name] ?? "").split(separator: "\n").contains(Substring($0))
          return "<option value=\"\($0)\"\(isChosen ? " selected" : "")>\($0)</option>"
        }.joined()
      }
      return """
        <form><p><input type="checkbox" id="dark" data-live-input="dark" \(state["dark"] ?? "")> \
        <select id="size" data-live-input="size">\(options("size"))</select></p>
        <p><select id="many" multiple data-live-input="many">\(options("many"))</select></p>
        <p><input id="name" data-live-input="name" value="\(state["name"] ?? "")"></p>
        <button type="reset" id="reset">Reset</button></form>
        <pre id="known">\(state["size"] ?? "") \(state["dark"] ?? "no") \
        \((state["many"] ?? "").replacing("\n", with: "+")) \(state["name"] ?? "")</pre>
        """
    }

    private func wait(for known: String, in browser: Browser) async throws {
      try await eventually("the server has \(known)") {
        try await browser.evaluate("document.querySelector('#known').textContent") == known
      }
    }

    private func change(in browser: Browser) async throws {
      try await browser.click("#dark")
      try await browser.run("document.querySelector('#size').focus()")
      try await browser.type("l")
      try await browser.click("#many option[value=s]")
      try await browser.run(
        """
        const many = document.querySelector("#many");
        many.options[2].selected = true;
        many.dispatchEvent(new Event("input", { bubbles: true }));
        """)
      try await browser.type("abc", into: "#name")
      try await wait(for: "l checked s+l abc", in: browser)
    }

    @Test(.serialized, arguments: [false, true])
    func `the server knows what the browser restores`(isBack: Bool) async throws {
      try await withPage(Self.preferences) { browser, origin in
        try await change(in: browser)
        if isBack {
          // Keeps the document out of the back/forward cache.
          try await browser.run("addEventListener('unload', () => {})")
          try await browser.open(origin + "/nowhere")
          try await browser.back()
          #expect(
            try await browser.evaluate("performance.getEntriesByType('navigation')[0].type")
              == "back_forward")
        } else {
          try await browser.reload()
        }
        try await eventually("it is live") { try await browser.has("[data-live-ready]") }
        // What the browser restores is sent, or reset.
        func expectAgreement() async throws {
          try await eventually("page and server agree") {
            try await browser.evaluate(
              """
              (() => {
                const field = (id) => document.getElementById(id);
                const many = [...field("many").selectedOptions].map(({ value }) => value).join("+");
                const shown = [field("size").value, field("dark").checked ? "checked" : "no", many, "abc"];
                return field("known").textContent === shown.join(" ") && field("name").value === "abc";
              })()
              """)
          }
        }
        try await expectAgreement()
        let before: Bool = try await browser.evaluate("document.querySelector('#dark').checked")
        try await browser.click("#dark")
        try await eventually("the server has it") {
          try await browser.has("#dark" + (before ? ":not([checked])" : "[checked]"))
        }
        try await expectAgreement()
        #expect(try await browser.has("#dark:checked") != before)
      }
    }

    @Test func `a reset restores the first contents`() async throws {
      try await withPage(Self.preferences) { browser, _ in
        try await change(in: browser)
        try await browser.click("#reset")
        try await wait(for: "s no  ", in: browser)
        #expect(try await browser.value("#name") == "")
        #expect(try await browser.value("#size") == "s")
        #expect(try await !browser.has("#dark:checked"))
      }
    }
  }
}
