import CurlewLive
import Testing

extension BrowserTests {
  /// What the user and the browser have set on elements while the markup changes.
  @Suite struct BrowserStateTests {
    @Test func `fields named like properties of forms break nothing`() async throws {
      try await withTextPage { state in
        let fields = state.split(separator: ";").dropFirst().map { "<input name=\"\($0)\">" }
        return """
          <form id="form" data-live-submit="send" data-live-hook="none"><div id="fields" hidden>\
          \(fields.joined())</div><b data-key="now">\(state)</b>\(state.isEmpty ? "<i></i>" : "")\
          <input id="field" name="own" data-live-input="type"><button id="send">Send</button></form>
          """
      } text: { action in
        action.name == "send" ? "sent \(action.fields["own"] ?? "")" : action.value
      } _: { browser in
        let names: [String] = try await browser.run(
          """
          const names = new Set();
          for (let type = HTMLFormElement.prototype; type; type = Object.getPrototypeOf(type)) {
            for (const name of Object.getOwnPropertyNames(type)) names.add(name);
          }
          return [...names];
          """, returning: [String].self)
        #expect(names.count > 200)
        let fields = names.joined(separator: ";")
        try await browser.set("1;\(fields)")
        try await browser.set("2;\(fields)")
        #expect(
          try await browser.evaluate(
            "document.querySelector('[data-key=now]').textContent === arguments[0]", "2;\(fields)"))
        // The click's target is the form.
        try await browser.run(
          "EventTarget.prototype.dispatchEvent.call(form, new MouseEvent('click', { bubbles: true }))"
        )
        try await browser.set("3;\(fields)")
        // Typing and submitting go on. Reading the text or a click by chromedriver would hang: it reads `parentNode`.
        try await browser.run("document.querySelector('#field').focus()")
        try await browser.type("x")
        try await browser.shows("x")
        try await browser.set("4;\(fields)")
        try await browser.type(Key.enter)
        try await browser.shows("sent x")
        #expect(try await !browser.has("#fields input"))
        #expect(try await browser.console().filter { $0.level == "SEVERE" }.isEmpty)
      }
    }

    @Test func `an open dialog stays open and is closed entirely`() async throws {
      try await withTextPage { state in
        """
        <dialog id="dialog"\(state == "open" ? " open" : "")><p>\(state)</p><input id="inside"></dialog>
        <button id="outside" data-live-click="outside" data-live-value="outside">Outside</button>
        """
      } _: { browser in
        try await browser.run("document.querySelector('#dialog').showModal()")
        try await browser.click("#inside")
        try await browser.set("changed")
        #expect(try await browser.has("#dialog:modal"))
        #expect(try await browser.focus == "inside")
        // The page's markup opens the dialog, too, and then closes it.
        try await browser.set("open")
        #expect(try await browser.has("#dialog:modal"))
        try await browser.set("closed")
        #expect(try await !browser.has("#dialog[open]"))
        // Only `close()` ends a modal dialog, under which nothing can be clicked.
        try await browser.click("#outside")
        try await browser.shows("outside")
      }
    }

    @Test func `disclosures and sizes stay as the user set them`() async throws {
      try await withTextPage { state in
        """
        <details id="opened"><summary>1</summary>\(state)</details>
        <details id="closed" open><summary>2</summary>\(state)</details>
        <details id="page"\(state == "b" ? "" : " open")><summary>3</summary>\(state)</details>
        <textarea id="area" title="\(state)">\(state)</textarea>
        """
      } _: { browser in
        try await browser.set("a")
        try await browser.click("#opened summary")
        try await browser.click("#closed summary")
        // As a drag of the corner.
        try await browser.run("document.querySelector('#area').style.height = '150px'")
        func states() async throws -> [Bool] {
          try await browser.evaluate(
            "['opened', 'closed', 'page'].map((id) => document.getElementById(id).open)")
        }
        try await browser.set("b")
        #expect(try await states() == [true, false, false], "the page closes its own")
        #expect(try await browser.attribute("title", of: "#area") == "b")
        let height: String = try await browser.evaluate(
          "document.querySelector('#area').style.height")
        #expect(height == "150px")
        try await browser.click("#page summary")
        try await browser.set("b2")
        #expect(try await states() == [true, false, true])
        try await browser.set("b")
        #expect(try await states() == [true, false, false])
      }
    }

    @Test(.serialized, arguments: ["disabled", "fieldset", "hidden"])
    func `the focus returns to an element that comes back`(kind: String) async throws {
      try await withTextPage { state in
        let isGone = state == "gone" || state == "still gone"
        return """
          <fieldset\(kind == "fieldset" && isGone ? " disabled" : "")>\
          <div id="box"\(kind == "hidden" && isGone ? " hidden" : "")>\
          <button id="save"\(kind == "disabled" && isGone ? " disabled" : "")>\(state)</button></div></fieldset>
          <button id="other">Other</button>\(state == "removed" ? "" : "<input id=\"last\">")
          """
      } _: { browser in
        func frames() async throws {
          try await browser.run(
            "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
          )
        }
        try await browser.run("document.querySelector('#save').focus()")
        for state in ["gone", "still gone"] {
          try await browser.set(state)
          try await frames()
          #expect(try await browser.focus == (kind == "hidden" ? "top" : "BODY"))
        }
        try await browser.set("back")
        #expect(try await browser.focus == "save")
        // Not if the user has moved on.
        try await browser.set("gone")
        try await frames()
        try await browser.click("#other")
        try await browser.set("back")
        #expect(try await browser.focus == "other")
      }
    }

    @Test func `the end of a list asks again for each page`() async throws {
      try await withTextPage { state in
        let rows = (0..<30 * (Int(state) ?? 1)).map { "<p data-key=\"\($0)\">\($0)<br><br></p>" }
        return """
          <div id="rows">\(rows.joined())</div>\
          <p id="more" data-live-appear="more" data-live-value="\((Int(state) ?? 1) + 1)">More</p>
          """
      } _: { browser in
        for _ in 0..<4 {
          let text = try await browser.text("#text")
          try await browser.run("scrollTo(0, document.body.scrollHeight)")
          try await eventually("the next page comes") { try await browser.text("#text") != text }
        }
        let count: Int = try await browser.evaluate("document.querySelectorAll('#rows p').length")
        #expect(count >= 150)
      }
    }

    @Test func `back in a page returns to the position`() async throws {
      try await withTextPage { state in
        let rows = (1...200).map { row in
          """
          <p data-key="\(row)"><button id="row\(row)" data-live-click="pick" data-live-value="\(row)">\(row)</button></p>
          """
        }
        return state.isEmpty
          ? "<div id=\"rows\">\(rows.joined())</div>" : "<p id=\"one\">\(state)</p>"
      } _: { browser in
        try await browser.run(
          "document.querySelector('#row150').scrollIntoView({ block: 'center' })")
        let position: Double = try await browser.evaluate("scrollY")
        #expect(position > 1_000)
        for isForward in [false, true] {
          if isForward { try await browser.forward() } else { try await browser.click("#row150") }
          try await browser.shows("150")
          try await browser.back()
          try await browser.shows("")
          try await eventually("the list is where it was") {
            try await browser.evaluate(
              "Math.abs(scrollY - Number(arguments[0])) < 2", "\(position)")
          }
        }
      }
    }

    @Test func `noscript stays text and templates change`() async throws {
      try await withTextPage { state in
        """
        <form id="form"><p id="box">\(state)<noscript><div><input name="old"></div>\(state)</noscript></p></form>
        <template id="template"><p id="inner">\(state)</p></template>
        """
      } _: { browser in
        try await browser.set("a")
        try await browser.set("b")
        let (noscript, fields, template): (String, Int, String) = (
          try await browser.evaluate("document.querySelector('noscript').textContent"),
          try await browser.evaluate("[...new FormData(document.querySelector('#form'))].length"),
          try await browser.evaluate("document.querySelector('#template').innerHTML")
        )
        #expect(noscript == "<div><input name=\"old\"></div>b")
        #expect(fields == 0)
        #expect(template == "<p id=\"inner\">b</p>")
      }
    }
  }
}
