import Foundation
import UnixSignals

/// The file of `--record` or `--record-trace`.
struct RecordingFile: Sendable {
  private let path: String
  private let content: @Sendable (URL) throws -> Void

  /// Begins a recording, and overwrites the file, so that an invalid path fails immediately.
  ///
  /// - Parameter content: Writes the recording to the file.
  /// - Throws: ``Failure`` if the file can't be written.
  init(_ path: String, _ content: @escaping @Sendable (URL) throws -> Void) throws(Failure) {
    (self.path, self.content) = (path, content)
    try write()
  }

  /// Writes the recording.
  ///
  /// - Throws: ``Failure`` if the file can't be written.
  func write() throws(Failure) {
    do {
      try content(URL(filePath: path))
    } catch let error as CocoaError {
      throw Failure(
        "\(path) can't be written: \(error.localizedDescription)", status: .outputError)
    } catch {
      throw Failure("\(error)", status: .outputError)
    }
  }

  /// Waits for a termination signal, writes recordings, and exits the process; returns if the task is cancelled.
  static func writeAtSignals(_ files: [RecordingFile]) async {
    for await signal in await UnixSignalsSequence(trapping: .sighup, .sigint, .sigterm) {
      for file in files {
        do {
          try file.write()
        } catch {
          error.report()
        }
      }
      exit(128 + signal.rawValue)
    }
  }
}
