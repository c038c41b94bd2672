import Foundation
import HTTPTypes

extension JSONLines {
  /// An iterator over the lines of a response as results, so that a damaged line does not end the
  /// iteration.
  struct Results: AsyncIteratorProtocol {
    private enum State {
      case idle
      case reading(StreamedResponse, ParsedChunks<LineSplitter>)
      case ended
    }

    private let client: Client
    private let endpoint: any Endpoint<Value>
    private var state = State.idle
    private var lineNumber = 0

    init(_ client: Client, _ endpoint: any Endpoint<Value>) {
      (self.client, self.endpoint) = (client, endpoint)
    }

    /// Returns the next line's value, or the reason why it can't be decoded; `nil` at the end of
    /// the body.
    ///
    /// - Throws: ``Client/Error`` for the request itself; ``Client/Error/tooLarge(_:)`` for a
    ///   line that exceeds ``Limits/lineSize``.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Result<Value, Client.Error>? {
      do throws(Client.Error) {
        if case .idle = state { try await connect() }
        guard case .reading(let response, var reader) = state else { return nil }
        while let line = try await reader.next(isolation: actor) {
          lineNumber += 1
          // White space (RFC 8259 section 2); CR belongs to CRLF.
          if line.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
          state = .reading(response, reader)
          do throws(Client.Error) {
            return .success(
              try client.decode(
                Data(line), endpoint.request.decoding, in: response.head, of: response.request,
                line: lineNumber))
          } catch {
            return .failure(error)
          }
        }
        state = .ended
        return nil
      } catch {
        state = .ended
        throw error
      }
    }

    /// Ends the iteration and the transfer.
    mutating func end() { state = .ended }

    private mutating func connect() async throws(Client.Error) {
      let request = try client.streamedRequest(
        for: endpoint,
        [.accept: "application/jsonl, application/x-ndjson, application/json;q=0.9, */*;q=0.5"])
      let response = try await client.stream(request)
      let splitter = LineSplitter(
        limit: response.request.limits.lineSize, endsAtCarriageReturn: false)
      state = .reading(response, ParsedChunks(response, splitter))
    }
  }
}
