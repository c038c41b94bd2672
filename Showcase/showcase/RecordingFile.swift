import Curlew
import CurlewRecording
import Foundation
import UnixSignals

/// The file for `--record`, and its recorder.
struct RecordingFile: Sendable {
  let recorder = HARRecorder()
  private let file: URL

  /// Begins a recording, and overwrites the file, so that an invalid path fails immediately.
  ///
  /// - Throws: ``Failure`` if the file can't be written.
  init(_ path: String) throws(Failure) {
    file = URL(filePath: path)
    try write()
  }

  /// Writes the recording.
  ///
  /// - Throws: ``Failure`` if the file can't be written.
  func write() throws(Failure) {
    do {
      try recorder.write(to: file)
    } catch {
      throw Failure("\(error)", status: .outputError)
    }
  }

  /// Waits for a termination signal, writes the recording, and exits the process; returns if the
  /// task is cancelled.
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
