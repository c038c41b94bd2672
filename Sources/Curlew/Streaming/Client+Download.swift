public import Foundation

extension Client {
  /// Downloads the body of an endpoint's response to a file.
  ///
  /// The body is written to a hidden file beside the target, which is renamed at the end: a partial file
  /// never has the final name. When the transfer is interrupted, stalls or is cancelled, or the process
  /// ends, the received bytes are kept. The next download of the same URL to the same file resumes there
  /// (`Range` and `If-Range`, RFC 9110 sections 13.1.5 and 14.2), if the server's `ETag` or `Last-Modified`
  /// still matches; otherwise it starts again.
  ///
  /// ```swift
  /// let map = try await client.download(.get("/maps/7"), to: file) { progress in
  ///   print(progress.fraction ?? 0)
  /// }
  /// ```
  ///
  /// The request has `Accept-Encoding: identity`, because ranges refer to encoded bytes. The limits apply as
  /// in ``stream(_:)``.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint; its `decoding` is not used.
  ///   - file: The location of the file; its folder must exist.
  ///   - options: The treatment of an existing file, and the number of retries of an interrupted transfer.
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
