import Curlew
import Foundation
import HTTPTypes

extension Browser {
  /// Opens an address, as if typed into the address bar.
  func open(_ url: String) async throws {
    try await send(.post, path("url"), .json(["url": url]))
  }

  func back() async throws { try await send(.post, path("back"), .empty) }

  func forward() async throws { try await send(.post, path("forward"), .empty) }

  func reload() async throws { try await send(.post, path("refresh"), .empty) }

  /// The address bar.
  var url: String {
    get async throws { try await send(.get, path("url")) }
  }

  /// The title of the window.
  var title: String {
    get async throws { try await send(.get, path("title")) }
  }

  // MARK: Tabs

  /// Opens another tab and returns its handle; the commands still go to the present one.
  func newTab(_ frame: Frame = .tab) async throws -> String {
    struct Tab: Decodable {
      let handle: String
    }
    noteAlteration()
    let tab: Tab = try await send(.post, path("window/new"), .json(["type": frame.rawValue]))
    return tab.handle
  }

  /// Where a page is opened.
  enum Frame: String, CaseIterable {
    /// Hides the window's other tabs.
    case tab
    /// Beside the others, which stay visible.
    case window
  }

  /// The handle of the tab that commands go to.
  var tab: String {
    get async throws { try await send(.get, path("window")) }
  }

  /// The handles of all tabs.
  var tabs: [String] {
    get async throws { try await send(.get, path("window/handles")) }
  }

  /// Sends commands to another tab from now on.
  func select(_ tab: String) async throws {
    try await send(.post, path("window"), .json(["handle": tab]))
  }

  /// Closes the selected tab; another one must be selected next.
  func closeTab() async throws {
    try await send(.delete, path("window"))
  }

  // MARK: Window

  /// Hides the window, as other windows before it or a locked phone do.
  func minimize() async throws {
    noteAlteration()
    try await send(.post, path("window/minimize"), .empty)
  }

  /// Shows the window in a size.
  func resize(_ width: Int, _ height: Int) async throws {
    try await send(.post, path("window/rect"), .json(["width": width, "height": height]))
  }

  /// The PNG of what the window shows.
  func screenshot() async throws -> Data {
    let text: String = try await send(.get, path("screenshot"))
    guard let image = Data(base64Encoded: text) else {
      throw Failure(kind: "no image", description: "the screenshot is not base 64")
    }
    return image
  }

  // MARK: Chromium's own

  /// Calls the DevTools protocol, in which most commands last as long as the window.
  func devTools(_ command: String, _ parameters: some Encodable & Sendable) async throws {
    if !command.hasPrefix("Input.") { noteAlteration() }
    let call = Call(cmd: command, params: parameters)
    try await send(.post, path("goog/cdp/execute"), .json(call))
  }

  /// What a screen reader is told of the element that has the focus: its name and its description.
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

  /// A line of the console.
  struct ConsoleLine: Decodable, Sendable, CustomStringConvertible {
    let level: String
    let message: String
    var description: String { "\(level): \(message)" }
  }

  /// Takes the console's lines since the last time.
  func console() async throws -> [ConsoleLine] {
    try await send(.post, path("se/log"), .json(["type": "browser"]))
  }
}

extension RequestBody {
  /// The empty object, which commands without parameters want.
  static var empty: RequestBody { .json([String: String]()) }
}

private struct Call<Parameters: Encodable & Sendable>: Encodable {
  let cmd: String
  let params: Parameters
}
