import CurlewTesting
import Sandbox
import Testing

extension Site {
  /// Returns the number of up-to-date rows.
  func rows() async throws -> Int {
    try await browser.run(
      "return document.querySelectorAll('#list:not(.is-old) > li').length", returning: Int.self)
  }

  /// Waits for rows of a list that is not loading, and returns their number.
  @discardableResult
  func waitForRows(_ what: String = "any", where isEnough: (Int) -> Bool = { $0 > 0 }) async throws
    -> Int
  {
    var count = 0
    try await eventually("there are rows: \(what)") {
      count = try await rows()
      let isLoading = try await browser.has("#status.is-loading")
      return isEnough(count) && !isLoading
    }
    return count
  }

  /// Opens the page of a list, waits for rows, and returns their number.
  @discardableResult
  func openList(_ path: String, passing time: TestClock? = nil) async throws -> Int {
    if let time { try await openLive(path, passing: time) } else { try await openLive(path) }
    return try await waitForRows()
  }

  /// Waits until an element is removed.
  func waitForEnd(of selector: String) async throws {
    try await eventually("there is no \(selector)") { try await !browser.has(selector) }
  }

  /// Scrolls to the end of the page.
  func scrollDown() async throws {
    try await browser.run("scrollTo(0, document.documentElement.scrollHeight)")
  }

  /// Scrolls until the list ends.
  func scrollToTheEnd() async throws {
    try await eventually("the list ends") {
      try await scrollDown()
      return try await browser.has("#end")
    }
  }

  /// Returns the queries of the requests for a path, in order.
  func queries(of path: String) -> [String] {
    sandbox.requests.filter { $0.path == path }.compactMap(\.query)
  }

  /// Returns the texts of all elements that match a selector.
  func texts(_ selector: String) async throws -> [String] {
    try await browser.run(
      "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)",
      selector, returning: [String].self)
  }

  /// Returns the values of an attribute of the elements that match a selector; skips elements
  /// without it.
  func attributes(_ name: String, of selector: String) async throws -> [String] {
    try await browser.run(
      """
      return [...document.querySelectorAll(arguments[0])]
        .map((one) => one.getAttribute(arguments[1])).filter((value) => value !== null);
      """, selector, name, returning: [String].self)
  }

  /// Waits for an address of this site in the address bar; ignores the number of pages in its
  /// query.
  func waitForAddress(_ address: String) async throws {
    try await eventually("the address is \(address)") {
      try await browser.url.replacing(#/[?&]pages=\d+/#, with: "") == origin + address
    }
  }
}
