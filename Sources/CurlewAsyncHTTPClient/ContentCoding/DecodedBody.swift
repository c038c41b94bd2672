import Curlew
import Foundation

extension ResponseBody {
  /// Returns the body, which is decoded while it is read.
  func decoded(from coding: ContentCoding) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      var decoder = ContentDecoder(coding)
      // The outcome, for a reader that continues after the end.
      var end: Result<Data?, any Error>?
      return {
        if let end { return try end.get() }
        do {
          while true {
            // Received input can decode to much more output, which a cancelled reader does not need.
            try Task.checkCancellation()
            if let piece = try decoder.next() { return piece }
            guard let input = try await pieces.next() else { break }
            decoder.append(input)
          }
          try decoder.finish()
          end = .success(nil)
          return nil
        } catch {
          end = .failure(error)
          throw error
        }
      }
    }
  }

  /// Returns a body that throws an error unless it is empty.
  func unreadable(_ error: Client.TransportFailure) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      return {
        while let piece = try await pieces.next() {
          if !piece.isEmpty { throw error }
        }
        return nil
      }
    }
  }
}
