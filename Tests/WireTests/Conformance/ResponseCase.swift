import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// A valid or invalid response, and a transport's permitted results for it.
struct ResponseCase: Sendable, CustomTestStringConvertible {
  typealias Kind = Client.TransportFailure.Kind

  let testDescription: String
  var response: StubResponse
  var method = HTTPRequest.Method.get
  /// The text of a permitted success.
  let text: String?
  /// The status of a permitted status error.
  let status: Int?
  /// The permitted transport failures.
  let kinds: Set<Kind>
  /// Whether exceeding a limit is permitted.
  var mayBeTooLarge = false
  /// The reason of AsyncHTTPClient's failure.
  var reason: String?
  var gap: Gap?

  /// Creates a response of `abcd` with faults; it ends with a closed connection where only failures are permitted.
  init(
    _ name: String, _ faults: Fault..., text: String? = nil, status: Int? = nil,
    fails kinds: Set<Kind> = [], gap: Gap? = nil
  ) {
    self.init(name, .text.with(faults), text, status, kinds, gap)
  }

  /// Creates a response of raw bytes, with the same rule for closing.
  init(
    raw: String, _ faults: Fault..., text: String? = nil, status: Int? = nil,
    fails kinds: Set<Kind> = [], gap: Gap? = nil
  ) {
    self.init(raw.prefix(60).description, .raw(raw).with(faults), text, status, kinds, gap)
  }

  private init(
    _ name: String, _ response: StubResponse, _ text: String?, _ status: Int?, _ kinds: Set<Kind>,
    _ gap: Gap?
  ) {
    (testDescription, self.text, self.status) = (name, text, status)
    (self.kinds, self.gap) = (kinds, gap)
    let onlyFails = text == nil && status == nil
    self.response = onlyFails ? response.with(.cut(after: .everything)) : response
  }

  /// Returns this case with changes.
  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  static let all = heads + noResponses + lengths + chunks + ends + interim + others

  /// Each case for each transport that supports it.
  static let runs = TransportUnderTest.allCases.flatMap { transport in
    all.filter { $0.gap.map { TransportUnderTest.all(but: $0).contains(transport) } ?? true }
      .map { (transport, $0) }
  }
}

// MARK: Heads (RFC 9112 sections 4 and 5)

extension ResponseCase {
  private static let heads =
    [
      "HTTP/1.1", "HTTP/1.1 OK 200", "HTTP/1.1 2x0 OK", "200 OK", "<html>", "HTTP/1.1 -200 OK",
      "HTTP/1.1 200200200200200200200 OK", "HTTP/1.1 99999 OK", "HTTP/1.1 1000 OK",
      "HTTP/1.1 000 OK", "HTTP/1.1 0 OK", "HTTP/1.1 2 OK", "HTTP/1.1 20 OK",
    ].map { ResponseCase($0, .statusLine($0), fails: .any) }
    + [
      "ICY 200 OK", "HTTP/1.1 abc OK", "HTTP/1.1 099 OK", "HTTP/1.1 2000 OK",
    ].map { ResponseCase($0, .statusLine($0), fails: [.protocolError]) }
    + [
      "HTTP/1.1 200 ", "HTTP/1.1 200 Größe", "HTTP/1.1 200 \(String(repeating: "O", count: 2_000))",
    ].map { ResponseCase($0, .statusLine($0), text: "abcd") }
    + ["Two Words: 1", ": 1", "X\u{0}Y: 1", "X-A : 1"]
    .map { ResponseCase($0, .headLine($0), fails: .any) }
    + ["no colon", "X-A: a\u{0}b"]
    .map { ResponseCase($0, .headLine($0), fails: [.protocolError]) }
    + ["Content-Encoding: gzip", "Content-Encoding: compress"]
    .map { ResponseCase($0, .headLine($0), fails: [.contentCoding]) }
    + [
      ResponseCase(
        "no reason phrase", .statusLine("HTTP/1.1 200"), text: "abcd", gap: .bareStatusLine),
      ResponseCase(
        "folded line", .headLine("X-A: a\r\n b"), .cut(after: .everything), text: "abcd",
        fails: .any),
      ResponseCase("field without a value", .headLine("X-A:"), text: "abcd"),
      ResponseCase(
        "hundred fields",
        .headLine((1...100).map { "X-\($0): \($0)" }.joined(separator: "\r\n")), text: "abcd"),
      ResponseCase(
        raw: "HTTP/1.1 200 OK\nContent-Length: 4\n\nabcd", .cut(after: .everything), text: "abcd",
        fails: .any),
    ]

  private static let noResponses =
    [
      "garbage", "\r\n", "\r\n\r\n\r\n", "\n", "\u{0}\u{0}\u{0}\u{0}\u{0}", "{\"a\": 1}", "HTTP/",
      "HTTP/1.1 ", "SSH-2.0-OpenSSH_9.6\r\n", "220 smtp ready\r\n", "this is not HTTP\r\n\r\n",
      "\u{0}\u{1}\u{2}\r\n\r\n",
      // An HTTP/2 SETTINGS frame.
      "\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}",
    ].map { ResponseCase(raw: $0, fails: .any) }
    // A TLS alert.
    + [ResponseCase(raw: "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F", fails: [.protocolError])]
}

// MARK: Bodies (RFC 9112 sections 6 and 7)

extension ResponseCase {
  private static let lengthHead = "HTTP/1.1 200 OK\r\nContent-Length: "
  private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static let lengths =
    [
      "+4", "4 4", "0x4", "4.0", "four", "", "4;", "٤", "18446744073709551620",
      "99999999999999999999999999", "5, 4",
    ].map { ResponseCase(raw: "\(lengthHead)\($0)\r\n\r\nabcd", fails: .any) }
    + ["abc", "-1", "4, 5"]
    .map { ResponseCase(raw: "\(lengthHead)\($0)\r\n\r\nabcd", fails: [.protocolError]) }
    + [
      // Eight exbibytes, which must not be allocated in advance.
      ResponseCase(
        raw: lengthHead + "9223372036854775807\r\n\r\nabcd", fails: .any, gap: .hugeLength
      ).with { $0.mayBeTooLarge = true },
      ResponseCase("another length, too small", .headLine("Content-Length: 3"), fails: .any),
      ResponseCase("another length, too large", .headLine("Content-Length: 5"), fails: .any),
      ResponseCase(
        "the same length twice", .headLine("Content-Length: 4"), text: "abcd", fails: .any),
      ResponseCase(
        "length and chunks", .chunked(), .headLine("Content-Length: 2"), .cut(after: .everything),
        text: "abcd", fails: .any),
      ResponseCase("length too long", .contentLength(tooLongBy: 1), fails: .any),
      ResponseCase("length too short", .contentLength(tooShortBy: 1), text: "abc"),
      ResponseCase(raw: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd", text: "abcd"),
      ResponseCase("no length", .closeDelimited, text: "abcd"),
    ]

  private static let chunks =
    ["-4", "0x4", "", " ", "g", "3", "10000000000000001", "40000000"]
    .map { ResponseCase(raw: chunkedHead + "\($0)\r\nabcd\r\n0\r\n\r\n", fails: .any) }
    + ["1\r\na1\r\nb\r\n", "1\r\na\r\n1\r\nb", "1\r\na\r\n1\r\nb\r\n1\r\nc"]
    .map { ResponseCase(raw: chunkedHead + $0 + "1\r\nc\r\n0\r\n\r\n", fails: .any) }
    + ["4", "4\r", "4\r\na", "4\r\nabcd\r\n0"]
    .map { ResponseCase(raw: chunkedHead + $0, fails: .any) }
    + ["4;a", "4;a=b", "4;a=\"b;c\"", "04", "0000000004"]
    .map { ResponseCase(raw: chunkedHead + "\($0)\r\nabcd\r\n0\r\n\r\n", text: "abcd") }
    + [
      ResponseCase(raw: chunkedHead + "xyz\r\nabcd\r\n0\r\n\r\n", fails: [.protocolError]),
      ResponseCase(
        raw: chunkedHead + "4 4\r\nabcd\r\n0\r\n\r\n", fails: .any, gap: .spaceInASize),
      ResponseCase("chunks of one byte", .chunked(every: 1), text: "abcd"),
      ResponseCase(
        raw: chunkedHead + "4\r\nabcd\r\n0\r\n", .cut(after: .everything), text: "abcd",
        fails: .any),
    ]

  private static let ends =
    [
      ResponseCase("closed without a response", .cut(after: .nothing), fails: [.lost]),
      ResponseCase("closed after the head", .cut(after: 0), fails: [.lost]),
      ResponseCase("closed in the body", .cut(after: 2), fails: [.lost]),
      ResponseCase("closed in a chunk", .chunked(), .cut(after: 2), fails: [.lost]),
      ResponseCase(raw: chunkedHead + "4\r\nabcd\r\n", fails: [.lost]),
      ResponseCase(raw: chunkedHead + "5\r\nab", fails: [.lost]),
      ResponseCase(raw: "HTTP/1.1 200 OK\r\n", fails: .any, gap: .cutHead),
      ResponseCase(raw: "HTTP/1.1 200 OK\r\nContent-", fails: .any, gap: .cutHead),
    ].map { one in
      one.with { $0.reason = "the connection was closed before the response was complete" }
    }
    + [
      ResponseCase("reset without a response", .reset(after: .nothing), fails: [.lost]),
      ResponseCase("reset in the body", .reset(after: 2), fails: [.lost]),
    ]
}

// MARK: Several responses (RFC 9110 section 15.2)

extension ResponseCase {
  private static let interim =
    [100, 102, 103, 199]
    .map { ResponseCase("interim \($0)", .interim($0, [.eTag: "\"early\""]), text: "abcd") }
    + [
      ResponseCase("many interim responses", text: "abcd").with {
        $0.response = $0.response.with((0..<20).map { Fault.interim([100, 102, 103][$0 % 3]) })
      },
      ResponseCase("error after an interim response", .interim(103), status: 404).with {
        $0.response = .text("no", status: .notFound).with(.interim(103))
      },
      ResponseCase(raw: "HTTP/1.1 103 Early Hints\r\n\r\n", fails: .any),
      // The client did not request an upgrade.
      ResponseCase(
        raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabcd",
        .cut(after: .everything), status: 101, fails: .any),
    ]

  /// Bytes after a response belong to no request.
  private static let others =
    [StubResponse.wrong, "!", "\r\n"]
    .map { ResponseCase("extra bytes: \($0)", .extraBytes($0), text: "abcd") }
    + [204, 304].map {
      ResponseCase(
        raw: "HTTP/1.1 \($0) Nothing\r\nContent-Length: 4\r\n\r\nabcd",
        text: $0 == 204 ? "" : nil, status: $0, fails: .any)
    }
    + [
      ResponseCase(
        "extra bytes after chunks", .chunked(every: 2), .extraBytes(StubResponse.wrong),
        text: "abcd"),
      ResponseCase("extra bytes after an error", status: 404).with {
        $0.response = .text("no", status: .notFound).with(.extraBytes(StubResponse.wrong))
      },
      ResponseCase(
        raw: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd", text: "", fails: .any
      ).with { $0.method = .head },
    ]
}

extension Set<Client.TransportFailure.Kind> {
  fileprivate static let any = Set(Element.allCases)
}
