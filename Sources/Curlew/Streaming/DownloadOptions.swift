public import Foundation
public import HTTPTypes

/// The options of a download: the treatment of existing files and of failures.
public struct DownloadOptions: Sendable {
  /// The treatment of an existing file with the name of the download.
  public enum ExistingFile: Sendable, Hashable {
    /// The download throws ``Client/Error/file(_:)``, before it sends a request; the file is kept.
    case fail
    /// The file is replaced atomically at the end; a folder, a device or a pipe is never replaced.
    case replace
    /// Both files are kept: the new file is called `name 2.ext`, `name 3.ext` and so on.
    case keepBoth
  }

  /// The treatment of an existing file with this name; by default, the download fails, so that no file is
  /// lost.
  public var ifExists: ExistingFile
  /// Whether to resume an earlier download of this URL; `true` by default.
  public var resumes = true
  /// The retry policy of an interrupted download: the waits, the status codes, and the maximum number of
  /// consecutive attempts without a new byte; 1 for no retries.
  ///
  /// Attempts that receive new bytes are not counted, so that a large file can be downloaded over a bad
  /// connection. Bytes that are received again, because the server's file can't be resumed, are not new.
  public var retryPolicy = RetryPolicy()

  /// Creates the default options, with a treatment of existing files.
  public init(ifExists: ExistingFile = .fail) {
    self.ifExists = ifExists
  }
}

/// A file that was downloaded completely.
public struct DownloadedFile: Sendable {
  /// The location of the file.
  public let file: URL
  /// The size of the file, in bytes.
  public let size: Int64
  /// The number of reused bytes of an earlier download; 0 if the download started again.
  public let resumedFrom: Int64
  /// The head of the last response; its status is 206 (Partial Content) if the download was resumed.
  public let head: HTTPResponse
}

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
  @concurrent
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
