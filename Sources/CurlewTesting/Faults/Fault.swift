public import Foundation
public import HTTPTypes

/// Something that goes wrong, or oddly, while a response is on its way.
///
/// The same words work on a ``StubTransport``, which hands out what a correct transport makes of
/// them, and on `CurlewFaultServer`, which does them to a real connection:
///
/// ```swift
/// stub.stub(.get, "/users", with: .json("[1, 2, 3]").with(.cut(after: 4)), .json("[1, 2, 3]"))
/// server.stub(.get, "/users", with: .json(text).with(.slow(bytesPerSecond: 100)))
/// ```
///
/// Time passes on the clock of the stub or of the server. Faults may be combined; of several that
/// end a response the earliest counts.
public struct Fault: Sendable {
  enum Kind: Sendable {
    case slow(bytesPerSecond: Int, from: Position)
    case pause(Duration, after: Position)
    case end(End, after: Position)
    case contentLength(ContentLength)
    case closeDelimited
    case extraBytes(Data)
    case chunked(size: Int)
    case brokenChunk(ChunkFault, index: Int)
    case trailers(HTTPFields)
    case interim(status: Int, HTTPFields)
    case version(String)
    case statusLine(String)
    case noReasonPhrase
    case headLine(String)
    case endless(Endless)
    case preceded(by: StubResponse)
    case followed(by: StubResponse)
  }

  /// How a connection ends.
  enum End: Sendable, Hashable {
    case cut, reset, silence
  }

  enum ContentLength: Sendable, Hashable {
    case differing(by: Int)
    case text(String)
  }

  let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }
}

// MARK: Time

extension Fault {
  /// Sends no more than so many bytes a second, in pieces of a tenth of a second; the first one
  /// comes when its time is over.
  ///
  /// - Parameter start: What is sent at once before that: the head, unless something else is said.
  public static func slow(bytesPerSecond rate: Int, from start: Position = 0) -> Fault {
    precondition(rate > 0, "A response that never comes is `.noAnswer`.")
    return Fault(.slow(bytesPerSecond: rate, from: start))
  }

  /// Waits at a place in the response: before it, unless something else is said.
  public static func pause(_ duration: Duration, after position: Position = .nothing) -> Fault {
    Fault(.pause(duration, after: position))
  }
}

// MARK: Ends

extension Fault {
  /// Closes the connection in an orderly way (FIN) at a place in the response.
  ///
  /// At or past the response's end that loses nothing, but no further request comes on the connection.
  public static func cut(after position: Position) -> Fault {
    Fault(.end(.cut, after: position))
  }

  /// Resets the connection (RST) at a place in the response.
  ///
  /// What was sent just before may be lost to a client that has not read it yet.
  public static func reset(after position: Position) -> Fault {
    Fault(.end(.reset, after: position))
  }

  /// Sends nothing more after a place in the response, and leaves the connection open.
  public static func silence(after position: Position) -> Fault {
    Fault(.end(.silence, after: position))
  }

  /// Never responds, and leaves the connection open.
  public static var noResponse: Fault { .silence(after: .nothing) }
}

// MARK: Length

extension Fault {
  /// Announces more bytes than are sent; then closes the connection, unless
  /// `.silence(after: .everything)` leaves the client waiting.
  public static func contentLength(tooLongBy count: Int) -> Fault {
    Fault(.contentLength(.differing(by: count)))
  }

  /// Announces fewer bytes than are sent; the rest lies on the connection.
  public static func contentLength(tooShortBy count: Int) -> Fault {
    Fault(.contentLength(.differing(by: -count)))
  }

  /// Puts a text in place of the length: `-1`, `abc`, `5, 5`.
  public static func contentLength(_ text: String) -> Fault { Fault(.contentLength(.text(text))) }

  /// Sends no length, and closes the connection at the end of the body (RFC 9112 section 6.3).
  public static var closeDelimited: Fault { Fault(.closeDelimited) }

  /// Sends bytes after the end of the response, which nobody asked for.
  public static func extraBytes(_ bytes: Data) -> Fault { Fault(.extraBytes(bytes)) }

  /// Sends a text after the end of the response, which nobody asked for.
  public static func extraBytes(_ text: String) -> Fault { .extraBytes(Data(text.utf8)) }
}

// MARK: Chunks

extension Fault {
  /// Sends the body in chunks (RFC 9112 section 7.1): all of it in one, unless a size is given.
  public static func chunked(every size: Int = .max) -> Fault {
    precondition(size > 0, "A chunk of no bytes ends the body.")
    return Fault(.chunked(size: size))
  }

  /// Sends the body in chunks of which one is broken; closes the connection after it.
  ///
  /// - Parameters:
  ///   - flaw: What is wrong with the chunk.
  ///   - index: Which chunk, from 0; the last one where there are fewer.
  public static func brokenChunk(_ flaw: ChunkFault, at index: Int = 0) -> Fault {
    Fault(.brokenChunk(flaw, index: index))
  }

  /// Announces a chunk of 2^64 + 1 bytes, more than any number in a parser holds.
  public static var hugeChunk: Fault { .brokenChunk(.size("10000000000000001")) }

  /// Announces a chunk of so many bytes, and closes the connection after the body's own bytes.
  public static func hugeChunk(announcing count: Int) -> Fault {
    .brokenChunk(.size(String(max(count, 0), radix: 16)))
  }

  /// Sends the body in chunks with fields after it (RFC 9112 section 7.1.2).
  public static func trailers(_ fields: HTTPFields) -> Fault { Fault(.trailers(fields)) }
}

// MARK: Head

extension Fault {
  /// Sends an interim response before the final one (RFC 9110 section 15.2): 100, 102 or 103.
  public static func interim(_ status: Int, _ fields: HTTPFields = [:]) -> Fault {
    Fault(.interim(status: status, fields))
  }

  /// Responds as an HTTP/1.0 server: without a length, unless the response has one of its own, and
  /// with the connection closed after it.
  public static var http10: Fault { Fault(.version("HTTP/1.0")) }

  /// Leaves the reason phrase out: `HTTP/1.1 200 ` (RFC 9112 section 4).
  public static var noReasonPhrase: Fault { Fault(.noReasonPhrase) }

  /// Sends this in place of the status line.
  public static func statusLine(_ text: String) -> Fault { Fault(.statusLine(text)) }

  /// Adds a line to the header fields as it is, well-formed or not.
  public static func headLine(_ text: String) -> Fault { Fault(.headLine(text)) }

  /// Sends something without end, until the client closes the connection.
  public static func endless(_ part: Endless) -> Fault { Fault(.endless(part)) }
}

// MARK: Responses to other requests

extension Fault {
  /// Sends another response first: the client takes it for its own, and this one stays on the
  /// connection.
  public static func preceded(by other: StubResponse) -> Fault { Fault(.preceded(by: other)) }

  /// Sends another response right after this one, before the next request on the connection.
  ///
  /// With a pause after ``Position/everything``, it comes when the client is done with this one.
  public static func followed(by other: StubResponse) -> Fault { Fault(.followed(by: other)) }
}

extension StubResponse {
  /// Returns this response with faults on its way.
  ///
  /// A body that would arrive piece by piece is read to its end first.
  public func with(_ faults: Fault...) -> Self { with(faults) }
}
