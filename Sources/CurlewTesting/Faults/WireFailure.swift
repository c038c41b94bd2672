/// Why an answer could not be read, in the words of `CurlewAsyncHTTPClient`.
struct WireFailure: Error, Hashable, CustomStringConvertible {
  let description: String

  static let closed = WireFailure(
    description: "the connection was closed before the answer was complete")
  static let reset = WireFailure(
    description: "the connection was reset before the answer was complete")

  static func malformed(_ reason: String) -> WireFailure {
    WireFailure(description: "the answer is not HTTP (\(reason))")
  }
}
