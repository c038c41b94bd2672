import Foundation
import HTTPTypes

/// The values of a response in JSON Lines (NDJSON), decoded line by line as they arrive.
///
/// Each iteration sends the request again. Blank lines are skipped.
///
/// ```swift
/// for try await entry in client.jsonLines(Audit.entries) { show(entry) }
/// ```
public struct JSONLines<Value: Sendable>: AsyncSequence, Sendable {
  let client: Client
  let endpoint: any Endpoint<Value>

  /// The lines as results: a line that can't be decoded is a `.failure` with
  /// ``Client/Error/decoding(_:)``, and the following lines are still read.
  ///
  /// ```swift
  /// for try await entry in client.jsonLines(Audit.entries).results {
  ///   switch entry {
  ///   case .success(let entry): show(entry)
  ///   case .failure(let error): log(error)
  ///   }
  /// }
  /// ```
  public var results: some AsyncSequence<Result<Value, Client.Error>, Client.Error> & Sendable {
    IteratorSequence { Results(client, endpoint) }
  }

  /// An iterator over the values.
  private struct Iterator: AsyncIteratorProtocol {
    var results: Results

    /// Returns the next value; `nil` at the end of the body.
    ///
    /// - Throws: ``Client/Error``: ``Client/Error/decoding(_:)`` for a line that can't be decoded,
    ///   which ends the iteration; ``Client/Error/tooLarge(_:)`` for a line that exceeds
    ///   ``Limits/lineSize``.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Value? {
      guard let result = try await results.next(isolation: actor) else { return nil }
      do throws(Client.Error) {
        return try result.get()
      } catch {
        results.end()
        throw error
      }
    }
  }

  /// Returns an iterator, which sends the request when its first value is requested.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Value, Client.Error>
    & SendableMetatype
  {
    Iterator(results: Results(client, endpoint))
  }
}

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

extension Client {
  /// Returns the values of a response in JSON Lines (NDJSON): the endpoint's `Response` is the type
  /// of one line.
  ///
  /// The request is sent when the sequence is iterated. It passes through the same middlewares and
  /// limits as ``stream(_:)``. ``Limits/lineSize`` limits each line.
  public func jsonLines<E: Endpoint>(_ endpoint: E) -> JSONLines<E.Response> {
    JSONLines(client: self, endpoint: endpoint)
  }
}

extension Client {
  /// Creates the request of a stream.
  ///
  /// - Parameter fields: The header fields to set unless the endpoint has its own.
  func streamedRequest<E: Endpoint>(
    for endpoint: E, _ fields: HTTPFields
  ) throws(Error) -> OutgoingRequest {
    var request = try request(for: endpoint, isStreamed: true)
    let own = request.declaration.headerFields
    var merged = request.head.headerFields
    for field in fields where !own.contains(field.name) { merged[field.name] = field.value }
    request.head.headerFields = merged
    return request
  }

  /// Unavailable: without the type of a line, no value could be decoded.
  @available(*, unavailable, message: "Name the type of a line: Request<Entry>.get(…)")
  public func jsonLines<E: Endpoint<Void>>(_ endpoint: E) -> JSONLines<Void> { fatalError() }
}
