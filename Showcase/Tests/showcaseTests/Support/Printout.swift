import CurlewTerminal
import Domain
import Foundation
import showcase

/// The output of a list command, without running the command.
struct Printout<Item: Printed> {
  let list: Loaded<Item>
  let report: Report<Item>

  init(_ listing: Listing<Item>, page: Int = 1, title: String, isFictitious: Bool = false)
    async throws
  {
    try await self.init(.one(page), title: title, isFictitious: isFictitious) { _ in listing }
  }

  init(
    _ choice: PageChoice, title: String = "list", isFictitious: Bool = false,
    load: @escaping @Sendable (Int) async throws -> Listing<Item>
  ) async throws {
    list = try await Loaded(choice, of: load)
    report = Report(list: list, title: title, nothing: "nothing", isFictitious: isFictitious)
  }

  /// Returns the JSON of an item for scripts.
  static func json(_ item: Item) -> JSONObject { Item.json(item) }

  func text(on terminal: Terminal, now: Date = Date(timeIntervalSince1970: 0)) -> String {
    report.text(for: terminal, now: now)
  }

  /// Returns the lines on a terminal without colours; a `nil` width means a pipe.
  func lines(within width: Int?) -> [String] {
    text(on: Terminal(windowWidth: width, environment: [:]))
      .split(separator: "\n").map(String.init)
  }
}

/// Recordings of the real servers.
enum Recording: String {
  case gitHub = "github"
  case iTunes = "itunes"
  case tmdb

  var file: URL {
    URL(filePath: #filePath)
      .appending(path: "../../../../../../shared/recordings/\(rawValue).har").standardizedFileURL
  }

  var exists: Bool { FileManager.default.isReadableFile(atPath: file.path) }
}
