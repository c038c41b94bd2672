public import Foundation
public import HTTPTypes

/// How a download treats files that are there already, and failures.
public struct DownloadOptions: Sendable {
  /// What happens when there is a file with the name of the download.
  public enum ExistingFile: Sendable, Hashable {
    /// The download throws ``Client/Error/file(_:)``, before it sends a request; the file is kept.
    case fail
    /// The file is replaced, at the end, in one step; a folder, a device or a pipe never is.
    case replace
    /// Both files are kept: the new one is called `name 2.ext`, `name 3.ext` and so on.
    case keepBoth
  }

  /// What happens when there is a file with this name; by default the download fails, so that nothing is
  /// lost.
  public var ifExists: ExistingFile
  /// Whether what an earlier download of this URL left behind is used; `true` by default.
  public var resumes = true
  /// How a download that is cut goes on: the waits, the statuses, and the maximum number of attempts in a
  /// row that bring no new byte, the first included.
  ///
  /// Other attempts are not counted, so that a large file arrives over a bad connection. Bytes that came
  /// before and were discarded, because the server's file can't be resumed, are not new.
  public var retryPolicy = RetryPolicy()

  /// Creates options: the defaults, but for the choice for a file that exists.
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
  /// The number of bytes that an earlier download had left behind and that were used; 0 if it began again.
  public let resumedFrom: Int64
  /// The head of the last response; its status is 206 (Partial Content) if it was resumed.
  public let head: HTTPResponse
}
