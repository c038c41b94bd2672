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
