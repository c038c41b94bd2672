public import CurlewTesting
import Foundation
public import HTTPTypes

/// A fault, or an unusual but valid form, that a test injects into a response.
///
/// A ``FaultServer`` applies it to a real connection; a stub transport has none, and fails the test:
///
/// ```swift
/// server.stub(.get, "/users", with: .json("[1, 2, 3]").with(.reset(after: 4)), .json("[1, 2, 3]"))
/// server.stub(.get, "/users", with: .json(text).with(.slow(bytesPerSecond: 100)))
/// ```
///
/// Delays use the clock of the server. Faults can be combined; of several that end a
/// response, the earliest one applies.
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
  /// - Parameter start: The position up to which everything is sent at once: by default the end of
  ///   the head.
  public static func slow(bytesPerSecond rate: Int, from start: Position = 0) -> Fault {
    precondition(rate > 0, "For a response that never comes, use `.noResponse`.")
    return Fault(.slow(bytesPerSecond: rate, from: start))
  }

  /// Pauses at a position in the response, by default before it.
  public static func pause(_ duration: Duration, after position: Position = .nothing) -> Fault {
    Fault(.pause(duration, after: position))
  }
}

// MARK: Ends

extension Fault {
  /// Closes the connection in an orderly way (FIN) at a position in the response.
  ///
  /// At the end of the response nothing is lost, but the connection can't take another request.
  public static func cut(after position: Position) -> Fault {
    Fault(.end(.cut, after: position))
  }

  /// Resets the connection (RST) at a position in the response.
  ///
  /// A client may lose bytes that were sent just before and that it has not read yet.
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
  /// Announces more bytes than are sent, and then closes the connection; combined with
  /// `.silence(after: .everything)`, leaves it open and the client waiting.
  public static func contentLength(tooLongBy count: Int) -> Fault {
    Fault(.contentLength(differingBy: count))
  }

  /// Announces fewer bytes than are sent; the rest remains unread on the connection.
  public static func contentLength(tooShortBy count: Int) -> Fault {
    Fault(.contentLength(differingBy: -count))
  }

  /// A body without a length, which ends when the connection closes (RFC 9112 section 6.3).
  public static var closeDelimited: Fault { Fault(.closeDelimited) }

  /// Sends an unexpected text after the end of the response.
  public static func extraBytes(_ text: String) -> Fault {
    Fault(.extraBytes(Data(text.utf8)))
  }
}

// MARK: Chunks

extension Fault {
  /// Sends the body in chunks (RFC 9112 section 7.1), by default in a single one.
  public static func chunked(every size: Int = .max) -> Fault {
    precondition(size > 0, "A chunk of size 0 ends the body.")
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

  /// Sends a text as the status line, such as `HTTP/1.1 200 ` without a reason phrase.
  public static func statusLine(_ text: String) -> Fault { Fault(.statusLine(text)) }

  /// Adds a line to the header fields as it is, well-formed or not.
  public static func headLine(_ text: String) -> Fault { Fault(.headLine(text)) }
}

// MARK: Responses to other requests

extension Fault {
  /// Sends bytes instead of an HTTP response.
  static func raw(_ bytes: Data) -> Fault { Fault(.raw(bytes)) }

  /// Sends another response right after this one, before the next request on the connection.
  ///
  /// With a pause after ``Position/everything``, it arrives when the client has finished this one.
  public static func followed(by other: StubResponse) -> Fault { Fault(.followed(by: other)) }
}
