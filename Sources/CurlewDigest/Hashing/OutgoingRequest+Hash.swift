import Curlew
import Foundation

extension OutgoingRequest {
  /// Returns the hash of the body, which is read once for it; without a body, the hash of no bytes.
  ///
  /// A time limit of the call stops the reading.
  func hashOfBody(_ name: HashName) async throws(Client.Error) -> Data {
    guard let body else { return name.hash(Data()) }
    if let data = body.data { return name.hash(data) }
    do {
      return try await runInOwnTask {
        var hash = RunningHash(name)
        for try await chunk in body {
          try Task.checkCancellation()
          hash.update(chunk)
        }
        // A sequence that is cut off because its task is cancelled may end as if it were complete.
        try Task.checkCancellation()
        return hash.finished()
      }
    } catch {
      throw failure(error)
    }
  }
}
