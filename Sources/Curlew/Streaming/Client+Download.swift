public import Foundation

extension Client {
  /// Downloads the body of an endpoint's response to a file.
  ///
  /// It is written to a hidden file beside the target, which gets its name at the end: there is never a
  /// part of a file under the final name. When the transfer is cut, stalls or is cancelled, or the process
  /// ends, what has arrived is kept, and the next download of the same URL to the same file goes on from
  /// there (`Range` and `If-Range`, RFC 9110 sections 13.1.5 and 14.2), if the server's `ETag` or
  /// `Last-Modified` still fits; otherwise it begins again.
  ///
  /// ```swift
  /// let map = try await client.download(.get("/maps/7"), to: file) { progress in
  ///   print(progress.fraction ?? 0)
  /// }
  /// ```
  ///
  /// The request has `Accept-Encoding: identity`, because ranges count encoded bytes. The limits apply as in
  /// ``stream(_:)``.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint; its `decoding` is not used.
  ///   - file: The location of the file; its folder must exist.
  ///   - options: What happens when there is a file already, and how often a cut transfer is resumed.
  ///   - onProgress: Called while bytes arrive: at most ten times a second, and at the end.
  /// - Throws: ``Client/Error``: ``Client/Error/file(_:)`` if the file can't be written;
  ///   ``Client/Error/status(_:)`` if the endpoint does not accept the status.
  public func download<E: Endpoint>(
    _ endpoint: E, to file: URL, options: DownloadOptions = DownloadOptions(),
    onProgress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws(Error) -> DownloadedFile {
    let makeRequest = { @Sendable () throws(Error) in
      try self.request(for: endpoint, isStreamed: true)
    }
    return try await Download(
      client: self, first: makeRequest(), target: file, options: options, report: onProgress
    ).run(makeRequest)
  }
}
