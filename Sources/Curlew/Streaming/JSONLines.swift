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
  let connect: @Sendable () async throws(Client.Error) -> StreamedResponse
  /// Decodes a line with its number, from 1.
  let decode: @Sendable (Data, StreamedResponse, Int) async throws(Client.Error) -> Value

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
  public var results: JSONLines<Result<Value, Client.Error>> {
    JSONLines<Result<Value, Client.Error>>(connect: connect) { [decode] line, response, number in
      do throws(Client.Error) {
        return .success(try await decode(line, response, number))
      } catch {
        return .failure(error)
      }
    }
  }

  /// An iterator over the values.
  private struct Iterator: AsyncIteratorProtocol {
    enum State {
      case idle
      case reading(StreamedResponse, ParsedChunks<LineSplitter>)
      case ended
    }

    let lines: JSONLines
    var state = State.idle
    var lineNumber = 0

    /// Returns the next value; `nil` at the end of the body.
    ///
    /// - Throws: ``Client/Error`` for the request itself; ``Client/Error/decoding(_:)`` for a line
    ///   that can't be decoded, which ends the iteration; ``Client/Error/tooLarge(_:)`` for a line
    ///   that exceeds ``Limits/lineSize``.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Value? {
      do throws(Client.Error) {
        if case .idle = state {
          let response = try await lines.connect()
          let splitter = LineSplitter(
            limit: response.request.limits.lineSize, endsAtCarriageReturn: false)
          state = .reading(response, ParsedChunks(response, splitter))
        }
        guard case .reading(let response, var reader) = state else { return nil }
        while let line = try await reader.next(isolation: actor) {
          lineNumber += 1
          // White space (RFC 8259 section 2); CR belongs to CRLF.
          if line.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
          state = .reading(response, reader)
          return try await lines.decode(Data(line), response, lineNumber)
        }
        state = .ended
        return nil
      } catch {
        state = .ended
        throw error
      }
    }
  }

  /// Returns an iterator, which sends the request when its first value is requested.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Value, Client.Error>
    & SendableMetatype
  {
    Iterator(lines: self)
  }
}

extension Client {
  /// Returns the values of a response in JSON Lines (NDJSON): the endpoint's `Response` is the type
  /// of one line.
  ///
  /// The request is sent when the sequence is iterated. It passes through the same middlewares and
  /// limits as ``stream(_:)``. ``Limits/lineSize`` limits each line.
  public func jsonLines<E: Endpoint>(_ endpoint: E) -> JSONLines<E.Response> {
    JSONLines { () throws(Error) in
      try await stream(
        endpoint,
        [.accept: "application/jsonl, application/x-ndjson, application/json;q=0.9, */*;q=0.5"])
    } decode: { line, response, number throws(Error) in
      try await decode(line, endpoint.request.decoding, in: response, line: number)
    }
  }

  /// Unavailable: without the type of a line, no value could be decoded.
  @available(*, unavailable, message: "Name the type of a line: Request<Entry>.get(…)")
  public func jsonLines<E: Endpoint<Void>>(_ endpoint: E) -> JSONLines<Void> { fatalError() }
}
