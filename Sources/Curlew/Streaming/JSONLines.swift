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
