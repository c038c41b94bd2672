import Curlew
import Foundation
import HTTPTypes

extension Browser {
  /// Opens an address, as if typed in the address bar.
  func open(_ url: String) async throws {
    try await send(.post, path("url"), .json(["url": url]))
  }

  func back() async throws { try await send(.post, path("back"), .empty) }

  func forward() async throws { try await send(.post, path("forward"), .empty) }

  func reload() async throws { try await send(.post, path("refresh"), .empty) }

  /// The URL in the address bar.
  var url: String {
    get async throws { try await send(.get, path("url")) }
  }

  /// The title of the window.
  var title: String {
    get async throws { try await send(.get, path("title")) }
  }

  // MARK: Tabs

  /// Opens another tab, and returns its handle; the current tab remains selected.
  func newTab(_ frame: Frame = .tab) async throws -> String {
    struct Tab: Decodable {
      let handle: String
    }
    noteAlteration()
    let tab: Tab = try await send(.post, path("window/new"), .json(["type": frame.rawValue]))
    return tab.handle
  }

  /// The kind of a new tab.
  enum Frame: String, CaseIterable {
    /// Hides the window's other tabs.
    case tab
    /// Opens a separate window, so that the others stay visible.
    case window
  }

  /// The handle of the selected tab.
  var tab: String {
    get async throws { try await send(.get, path("window")) }
  }

  /// The handles of all tabs.
  var tabs: [String] {
    get async throws { try await send(.get, path("window/handles")) }
  }

  /// Selects the tab that receives commands.
  func select(_ tab: String) async throws {
    try await send(.post, path("window"), .json(["handle": tab]))
  }

  /// Closes the selected tab; another tab must be selected next.
  func closeTab() async throws {
    try await send(.delete, path("window"))
  }

  // MARK: Window

  /// Hides the window, as covering windows or a locked phone do.
  func minimize() async throws {
    noteAlteration()
    try await send(.post, path("window/minimize"), .empty)
  }

  /// Sets the size of the window.
  func resize(_ width: Int, _ height: Int) async throws {
    try await send(.post, path("window/rect"), .json(["width": width, "height": height]))
  }

  /// Returns a screenshot of the window as PNG data.
  func screenshot() async throws -> Data {
    let text: String = try await send(.get, path("screenshot"))
    guard let image = Data(base64Encoded: text) else {
      throw Failure(kind: "no image", description: "the screenshot is not base 64")
    }
    return image
  }

  // MARK: Chromium's extensions

  /// Calls the DevTools protocol; most commands affect the window until it is closed.
  func devTools(_ command: String, _ parameters: some Encodable & Sendable) async throws {
    if !command.hasPrefix("Input.") { noteAlteration() }
    let call = Call(cmd: command, params: parameters)
    try await send(.post, path("goog/cdp/execute"), .json(call))
  }

  /// Returns the accessible name and description of the focused element.
  func focusedAccessibility() async throws -> (name: String, description: String) {
    struct Text: Decodable { let value: String? }
    struct Flag: Decodable {
      let isSet: Bool
      init(from decoder: any Decoder) throws {
        enum Key: CodingKey { case name, value }
        let values = try decoder.container(keyedBy: Key.self)
        let isFocus = try values.decode(String.self, forKey: .name) == "focused"
        isSet =
          try isFocus
          && values.nestedContainer(keyedBy: Key.self, forKey: .value)
            .decode(Bool.self, forKey: .value)
      }
    }
    struct Node: Decodable {
      let role, name, description: Text?
      let properties: [Flag]?
    }
    struct Tree: Decodable { let nodes: [Node] }
    let call = Call(cmd: "Accessibility.getFullAXTree", params: [String: String]())
    let tree: Tree = try await send(.post, path("goog/cdp/execute"), .json(call))
    let node = tree.nodes.first { node in
      node.role?.value != "RootWebArea" && node.properties?.contains(where: \.isSet) == true
    }
    return (node?.name?.value ?? "", node?.description?.value ?? "")
  }

  /// A message in the console.
  struct ConsoleLine: Decodable, Sendable, CustomStringConvertible {
    let level: String
    let message: String
    var description: String { "\(level): \(message)" }
  }

  /// Returns the console messages since the last call.
  func console() async throws -> [ConsoleLine] {
    try await send(.post, path("se/log"), .json(["type": "browser"]))
  }
}

extension RequestBody {
  /// An empty object, required by commands without parameters.
  static var empty: RequestBody { .json([String: String]()) }
}

private struct Call<Parameters: Encodable & Sendable>: Encodable {
  let cmd: String
  let params: Parameters
}
