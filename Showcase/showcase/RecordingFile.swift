import Curlew
import CurlewRecording
import Foundation
import UnixSignals

/// The file that `--record` names, and what is recorded for it.
struct RecordingFile: Sendable {
  let recorder = HARRecorder()
  private let file: URL

  /// Begins a recording, and replaces the file, so that a path that can't be written fails at once.
  ///
  /// - Throws: ``Failure`` when the file can't be written.
  init(_ path: String) throws(Failure) {
    file = URL(filePath: path)
    try write()
  }

  /// Writes what is recorded so far.
  ///
  /// - Throws: ``Failure`` when the file can't be written.
  func write() throws(Failure) {
    do {
      try recorder.write(to: file)
    } catch {
      throw Failure("\(error)", status: .outputError)
    }
  }

  /// Writes the recording when the process is told to stop, which it then does; until the task is
  /// cancelled.
  func writeAtSignals() async {
    for await signal in await UnixSignalsSequence(trapping: .sighup, .sigint, .sigterm) {
      do {
        try write()
      } catch {
        error.report()
      }
      exit(128 + signal.rawValue)
    }
  }
}
