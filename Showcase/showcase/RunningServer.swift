import Foundation

/// A running `showcase serve`, as in its ready line and in a file for other commands.
struct RunningServer: Decodable {
  var pid = ProcessInfo.processInfo.processIdentifier
  /// The base URL of its sandbox; `nil` without a sandbox.
  let sandbox: String?
  /// The source of its data, as text.
  let source: String
  var startedAt = Date()
  /// The address of its first page.
  let url: String

  var json: JSONObject {
    ["pid": pid, "sandbox": sandbox, "source": source, "startedAt": startedAt, "url": url]
  }

  private static var folder: URL { get throws { try CacheFolder.url.appending(path: "serve") } }
  private static var file: URL {
    get throws { try folder.appending(path: "\(ProcessInfo.processInfo.processIdentifier).json") }
  }

  /// The newest running server with a sandbox; removes the files of servers that were killed.
  static var newest: RunningServer? {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return (files ?? []).filter { $0.pathExtension == "json" }.compactMap { file in
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
        unlink(file.path)
        return nil
      }
      return try? decoder.decode(RunningServer.self, from: Data(contentsOf: file))
    }.filter { $0.sandbox != nil }.max { $0.startedAt < $1.startedAt }
  }

  /// Writes the file, and locks it until the process ends.
  func publish() throws {
    let file = try Self.file
    // It gets its name when it is locked.
    let draft = file.deletingPathExtension()
    try draft.writePrivately(Data(json.jsonLine.utf8))
    let descriptor = open(draft.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: draft.path])
    }
    _ = rename(draft.path, file.path)
  }

  /// Removes the file of this process.
  static func withdraw() { try? FileManager.default.removeItem(at: file) }

  /// Opens the pages in the user's browser; a failure is logged.
  func openBrowser(_ log: Log) {
    #if os(macOS)
      let opener = "open"
    #else
      let opener = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [opener, url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let failed = { @Sendable in log.write("\(opener) can't open a browser: open \(url) yourself.") }
    process.terminationHandler = { if $0.terminationStatus != 0 { failed() } }
    do { try process.run() } catch { failed() }
  }
}
