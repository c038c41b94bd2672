import AsyncHTTPClient
import CurlewLive
import CurlewLiveTesting
import CurlewTesting
import NIOCore
import NIOHTTP1

/// A page in a simulated browser without JavaScript, which follows links and submits forms.
struct PlainPage {
  let site: ServedSite
  let status: Int
  /// The path and the query.
  let address: String
  let html: String
  /// The cookie that the browser sends when it reloads the page.
  private let cookie: String?

  var elements: PageElement { PageElement(html) }

  /// The number of seconds after which the browser must reload the page.
  var reload: Int? {
    elements.attribute("content", of: "meta[http-equiv=refresh]").flatMap { Int($0) }
  }

  /// Whether the page is still loading, so that the browser must reload it.
  private var isLoading: Bool { reload != nil && !elements.has("#countdown") }

  func has(_ selector: String) -> Bool { elements.has(selector) }

  func text(_ selector: String) -> String? { elements.text(selector) }

  func texts(_ selector: String) -> [String] { elements.texts(selector) }

  /// Returns the value of a field or a selection.
  func value(_ selector: String) -> String? {
    elements.attribute("value", of: "\(selector) option[selected]")
      ?? elements.attribute("value", of: selector)
      ?? elements.text(selector).map { String($0.trimmingPrefix("\n")) }
  }

  /// Reloads the page, as the browser does when instructed.
  func again() async throws -> PlainPage {
    try await PlainPage(.GET, address, on: site, cookie: cookie)
  }

  /// Follows the first link that matches a selector.
  func follow(_ selector: String) async throws -> PlainPage {
    guard let address = elements.attribute("href", of: selector) else {
      throw NeverCame(description: "no link \(selector)")
    }
    return try await site.open(address)
  }

  /// Submits a form with changed values for some fields.
  func submit(
    _ changes: [String: String] = [:], form selector: String = "form"
  ) async throws -> PlainPage {
    guard let form = elements.matching(selector).first else {
      throw NeverCame(description: "no form \(selector)")
    }
    let fields: [(String, String)] = ["input", "select", "textarea"].flatMap { kind in
      elements.matching("\(selector) \(kind)").compactMap { field in
        guard let name = field.attributes["name"] else { return nil }
        let value = value("\(selector) [name=\(name)]")
        return (name, changes[name] ?? value ?? "")
      }
    }
    let items: [String] = fields.map { name, value in
      let item: LiveQuery = [name: value]
      return String(item.text.dropFirst())
    }
    let query = items.joined(separator: "&")
    let action = form.attributes["action"] ?? address
    guard form.attributes["method"] == "post" else {
      return try await site.open("\(action)?\(query)")
    }
    return try await PlainPage(.POST, action, on: site, form: query).whole()
  }

  /// Returns the page after it is completely loaded.
  fileprivate func whole() async throws -> PlainPage {
    var page = self
    guard page.isLoading else { return page }
    try await eventually("the end of \(address)") {
      page = try await page.again()
      return !page.isLoading
    }
    return page
  }

  /// Requests a page, and follows redirects.
  fileprivate init(
    _ method: HTTPMethod, _ address: String, on site: ServedSite, form: String? = nil,
    cookie: String? = nil
  ) async throws {
    var request = HTTPClientRequest(url: site.origin + address)
    request.method = method
    if let cookie { request.headers.add(name: "Cookie", value: cookie) }
    if let form {
      request.headers.add(name: "Origin", value: site.origin)
      request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
      request.body = .bytes(ByteBuffer(string: form))
    }
    let response = try await site.response(to: request)
    let cookies = response.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    if (300..<400).contains(response.status.code),
      let place = response.headers.first(name: "Location")
    {
      self = try await PlainPage(.GET, place, on: site, cookie: cookies.first ?? cookie)
      return
    }
    let html = String(buffer: try await response.body.collect(upTo: 1 << 22))
    self.init(
      site: site, status: Int(response.status.code), address: address, html: html,
      cookie: cookies.first ?? cookie)
  }

  private init(
    site: ServedSite, status: Int, address: String, html: String, cookie: String?
  ) {
    (self.site, self.status, self.address) = (site, status, address)
    (self.html, self.cookie) = (html, cookie)
  }
}

extension ServedSite {
  /// The HTTP client for page requests.
  private static let http = HTTPClient(
    configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

  /// Opens a page, and waits until it is completely loaded.
  func open(_ address: String) async throws -> PlainPage {
    try await PlainPage(.GET, address, on: self).whole()
  }

  /// Opens a page without waiting until it is loaded.
  func openSoon(_ address: String) async throws -> PlainPage {
    try await PlainPage(.GET, address, on: self)
  }

  /// Sends a request; if the site has a clock, it advances meanwhile.
  fileprivate func response(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
    guard let clock else { return try await Self.http.execute(request, timeout: .minutes(3)) }
    return try await withThrowingTaskGroup(of: HTTPClientResponse?.self) { group in
      group.addTask { try await Self.http.execute(request, timeout: .minutes(3)) }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(5))
          clock.advance(by: .milliseconds(50))
        }
        return nil
      }
      defer { group.cancelAll() }
      guard let response = try await group.next(), let response else { throw CancellationError() }
      return response
    }
  }
}
