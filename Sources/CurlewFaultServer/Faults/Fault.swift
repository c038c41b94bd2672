public import CurlewTesting
import Foundation
public import HTTPTypes

/// A fault, or an unusual but valid wire format, that a test injects into a response.
///
/// Only a ``FaultServer`` can apply faults, to a real connection. A stub transport fails the test:
///
/// ```swift
/// server.stub(.get, "/users", with: .json("[1, 2, 3]").with(.reset(after: 4)), .json("[1, 2, 3]"))
/// server.stub(.get, "/users", with: .json(text).with(.slow(bytesPerSecond: 100)))
/// ```
///
/// Delays use the server's clock. Faults can be combined; if several faults end a response, the earliest applies.
public struct Fault: Sendable {
  enum Kind: Sendable {
    case slow(bytesPerSecond: Int, from: Position)
    case pause(Duration, after: Position)
    case end(End, after: Position)
    case contentLength(differingBy: Int)
    case closeDelimited
    case extraBytes(Data)
    case chunked(size: Int)
    case trailers(HTTPFields)
    case interim(status: Int, HTTPFields)
    case statusLine(String)
    case headLine(String)
    case followed(by: StubResponse)
    case raw(Data)
  }

  /// The way in which a response ends early.
  enum End: Sendable, Hashable {
    case cut, reset, silence
  }

  let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }
}

// MARK: Time

extension Fault {
  /// Sends at most this many bytes per second, in pieces of a tenth of a second; each piece is sent
  /// when its time has passed.
  ///
  /// - Parameters:
  ///   - rate: The number of bytes that are sent in a second.
  ///   - start: The position up to which everything is sent at once. The default is the end of the head.
  public static func slow(bytesPerSecond rate: Int, from start: Position = 0) -> Fault {
    precondition(
      rate > 0, "The rate must be positive; for a response that never arrives, use `.noResponse`.")
    return Fault(.slow(bytesPerSecond: rate, from: start))
  }

  /// Pauses at a position in the response; the default is before the response.
  public static func pause(_ duration: Duration, after position: Position = .nothing) -> Fault {
    Fault(.pause(duration, after: position))
  }
}

// MARK: Ends

extension Fault {
  /// Closes the connection in an orderly way (FIN) at a position in the response.
  ///
  /// At the end of the response no data is lost, but the connection can't be reused.
  public static func cut(after position: Position) -> Fault {
    Fault(.end(.cut, after: position))
  }

  /// Resets the connection (RST) at a position in the response.
  ///
  /// A client may lose bytes that were sent just before the reset and that it has not read yet.
  public static func reset(after position: Position) -> Fault {
    Fault(.end(.reset, after: position))
  }

  /// Sends nothing more after a position in the response, and leaves the connection open.
  public static func silence(after position: Position) -> Fault {
    Fault(.end(.silence, after: position))
  }

  /// A response that never comes, on a connection that stays open.
  public static var noResponse: Fault { .silence(after: .nothing) }
}

// MARK: Length

extension Fault {
  /// Announces more bytes than are sent, and then closes the connection.
  ///
  /// Combined with `.silence(after: .everything)`, the connection stays open and the client waits.
  public static func contentLength(tooLongBy count: Int) -> Fault {
    Fault(.contentLength(differingBy: count))
  }

  /// Announces fewer bytes than are sent; the rest remains unread on the connection.
  public static func contentLength(tooShortBy count: Int) -> Fault {
    Fault(.contentLength(differingBy: -count))
  }

  /// A body without a length, which ends when the connection closes (RFC 9112 section 6.3).
  public static var closeDelimited: Fault { Fault(.closeDelimited) }

  /// Sends unexpected text after the end of the response.
  public static func extraBytes(_ text: String) -> Fault {
    Fault(.extraBytes(Data(text.utf8)))
  }
}

// MARK: Chunks

extension Fault {
  /// Sends the body in chunks (RFC 9112 section 7.1), by default in a single chunk.
  public static func chunked(every size: Int = .max) -> Fault {
    precondition(size > 0, "The size must be positive: a chunk of size 0 ends the body.")
    return Fault(.chunked(size: size))
  }

  /// Sends the body in chunks, with trailer fields after it (RFC 9112 section 7.1.2).
  public static func trailers(_ fields: HTTPFields) -> Fault { Fault(.trailers(fields)) }
}

// MARK: Head

extension Fault {
  /// Sends an interim response before the final one (RFC 9110 section 15.2): 100, 102 or 103.
  public static func interim(_ status: Int, _ fields: HTTPFields = [:]) -> Fault {
    Fault(.interim(status: status, fields))
  }

  /// Replaces the status line by a text, such as `HTTP/1.1 200 ` without a reason phrase.
  public static func statusLine(_ text: String) -> Fault { Fault(.statusLine(text)) }

  /// Adds a line to the header fields unchanged, well-formed or not.
  public static func headLine(_ text: String) -> Fault { Fault(.headLine(text)) }
}

// MARK: Responses to other requests

extension Fault {
  /// Sends bytes instead of an HTTP response.
  static func raw(_ bytes: Data) -> Fault { Fault(.raw(bytes)) }

  /// Sends another response right after this response, before the next request on the connection.
  ///
  /// With a pause after ``Position/everything``, it arrives when the client has finished the first response.
  public static func followed(by other: StubResponse) -> Fault { Fault(.followed(by: other)) }
}
