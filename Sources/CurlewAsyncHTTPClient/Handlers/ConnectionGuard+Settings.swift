import NIOCore
import NIOHTTP2

/// The number of a connection's streams, and settings (SETTINGS, RFC 9113 section 6.5.2) that arrive without streams.
struct IdleSettings {
  fileprivate var streams = 0
  fileprivate var delayed: HTTP2Frame?
}

/// A new maximum number of streams on an idle connection is delayed until the next stream.
///
/// AsyncHTTPClient would start a second timer for the idle connection, which ends processes with debug assertions
/// (`HTTPConnectionPool.scheduleIdleTimerForConnection`). NIO observes the maximum at once.
extension ConnectionGuard {
  /// Returns whether to keep a frame of settings from AsyncHTTPClient for now.
  ///
  /// The server's first settings, for which AsyncHTTPClient waits, arrive before the guard is added.
  func delays(_ frame: HTTP2Frame, _ settings: HTTP2Settings) -> Bool {
    guard idle.streams == 0, settings.contains(where: { $0.parameter == .maxConcurrentStreams })
    else { return false }
    idle.delayed = frame
    return true
  }

  /// Called when a stream becomes active.
  func streamOpens() {
    idle.streams += 1
    guard let frame = idle.delayed.take(), let context else { return }
    context.fireChannelRead(NIOAny(frame))
    // `HTTP2StreamMultiplexer` flushes nothing before the end of a read.
    context.fireChannelReadComplete()
  }

  /// Called when an active stream becomes inactive.
  func streamCloses() {
    idle.streams -= 1
  }
}
