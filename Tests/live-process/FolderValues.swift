import CurlewLive
import CurlewScreens
import Foundation

/// The addresses of a fleet's servers as files in a folder; without leases and news.
struct FolderValues: ServerValues {
  let server = UUID().uuidString
  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  private func file(_ key: String) -> URL {
    folder.appending(path: key.replacing("/", with: "-"))
  }

  func text(_ key: String) async -> String? {
    let file = file(key)
    guard let values = try? FileManager.default.attributesOfItem(atPath: file.path),
      let date = values[.modificationDate] as? Date, date > .now
    else { return nil }
    return try? String(contentsOf: file, encoding: .utf8)
  }

  func set(
    _ key: String, _ text: String?, lease: (key: String, number: Int64)?, expires: Duration
  ) async -> Bool {
    let file = file(key)
    guard let text else { return (try? FileManager.default.removeItem(at: file)) != nil }
    let end = Date.now.addingTimeInterval(Double(expires.components.seconds))
    let new = folder.appending(path: UUID().uuidString)
    do {
      try Data(text.utf8).write(to: new)
      try FileManager.default.setAttributes([.modificationDate: end], ofItemAtPath: new.path)
      return rename(new.path, file.path) == 0
    } catch {
      return false
    }
  }

  func leaseNumber(_ key: String, for time: Duration) async -> Int64? { nil }
  func release(_ key: String, _ number: Int64) async {}
  func changes(of prefix: String) -> AsyncStream<String> { AsyncStream { _ in } }
}
