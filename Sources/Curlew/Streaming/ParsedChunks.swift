import Foundation

/// Splits the chunks of a body into elements.
protocol ChunkParser<Element>: Sendable {
  associatedtype Element: Sendable
  /// The kind of an element's size limit.
  static var kind: Client.TooLargeFailure.Limit { get }
  /// The maximum number of bytes of an element.
  var limit: Int { get }

  /// Appends received bytes.
  mutating func append(_ chunk: Data)
  /// Returns the next complete element; `nil` when more bytes are needed.
  mutating func next() throws(LineSplitter.TooLong) -> Element?
  /// Returns the last element, after the end of the body; `nil` if there is none.
  mutating func finish() -> Element?
}

/// An iterator over the elements of a streamed body.
struct ParsedChunks<Parser: ChunkParser>: AsyncIteratorProtocol {
  /// The unread chunks; `nil` after the end, so that the transfer ends, too.
  private var chunks: StreamedResponse.Iterator?
  private(set) var parser: Parser
  private let request: OutgoingRequest

  init(_ response: StreamedResponse, _ parser: Parser) {
    chunks = response.iterator()
    request = response.request
    self.parser = parser
  }

  /// Returns the next element; `nil` at the end of the body.
  ///
  /// - Throws: ``Client/Error``: ``Client/Error/tooLarge(_:)`` for an element that exceeds its limit.
  mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Client.Error) -> Parser.Element? {
    guard chunks != nil else { return nil }
    do {
      while true {
        if let element = try parser.next() { return element }
        guard let chunk = try await chunks?.next(isolation: actor) else { break }
        parser.append(chunk)
      }
    } catch {
      chunks = nil
      throw error as? Client.Error ?? request.tooLarge(Parser.kind, parser.limit)
    }
    chunks = nil
    return parser.finish()
  }
}
