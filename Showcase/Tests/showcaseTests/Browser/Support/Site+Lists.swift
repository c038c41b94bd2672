import CurlewTesting
import Sandbox
import Testing

extension Site {
  /// How many rows of the newest list are shown.
  func rows() async throws -> Int {
    try await browser.run(
      "return document.querySelectorAll('#list:not(.is-old) > li').length", returning: Int.self)
  }

  /// Waits for rows of a list that is not loading any more; returns how many there are.
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

  /// Opens the page of a list, and waits for rows; returns how many there are.
  @discardableResult
  func openList(_ path: String, passing time: TestClock? = nil) async throws -> Int {
    if let time { try await openLive(path, passing: time) } else { try await openLive(path) }
    return try await waitForRows()
  }

  /// Waits until an element is gone.
  func waitForEnd(of selector: String) async throws {
    try await eventually("there is no \(selector)") { try await !browser.has(selector) }
  }

  /// Goes down to the end of what is there.
  func scrollDown() async throws {
    try await browser.run("scrollTo(0, document.documentElement.scrollHeight)")
  }

  /// Goes down until the list ends.
  func scrollToTheEnd() async throws {
    try await eventually("the list ends") {
      try await scrollDown()
      return try await browser.has("#end")
    }
  }

  /// The queries that a path was asked with, in order.
  func queries(of path: String) -> [String] {
    sandbox.requests.filter { $0.path == path }.compactMap(\.query)
  }

  /// The texts of all elements that a selector matches.
  func texts(_ selector: String) async throws -> [String] {
    try await browser.run(
      "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)",
      selector, returning: [String].self)
  }

  /// What the elements that a selector matches have for an attribute; those without it are left
  /// out.
  func attributes(_ name: String, of selector: String) async throws -> [String] {
    try await browser.run(
      """
      return [...document.querySelectorAll(arguments[0])]
        .map((one) => one.getAttribute(arguments[1])).filter((value) => value !== null);
      """, selector, name, returning: [String].self)
  }

  /// Waits until the address bar shows an address of this site, however many pages of a list there
  /// are.
  func waitForAddress(_ address: String) async throws {
    try await eventually("the address is \(address)") {
      try await browser.url.replacing(#/[?&]pages=\d+/#, with: "") == origin + address
    }
  }
}
