import CurlewFaultServer
import Foundation
import TestSupport
import Testing

/// A coded body, and a transport's result for it.
struct CodedCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The value of the `Content-Encoding` field.
  let coding: String
  let framing: Framing
  /// The size of the pieces in which the body is sent.
  let size: Int
  let gap: Gap?
  let body: @Sendable () throws -> Data
  let outcome: Outcome

  enum Outcome: Sendable {
    case value(Data)
    /// A transport error whose reason contains this text with Curlew's own decoder.
    case failure(saying: String)
  }

  private init(
    _ name: String, _ coding: String, framing: Framing = .chunked, by size: Int = .max,
    is data: Data, gap: Gap? = nil, _ body: @escaping @Sendable () throws -> Data
  ) {
    testDescription = "\(name) \(coding) \(framing) \(size)"
    (self.coding, self.framing, self.size) = (coding, framing, size)
    (self.gap, self.body, outcome) = (gap, body, .value(data))
  }

  private init(
    _ name: String, _ coding: String, fails reason: String, gap: Gap? = nil,
    _ body: @escaping @Sendable () throws -> Data
  ) {
    (testDescription, self.coding, self.gap) = ("\(name) (\(coding))", coding, gap)
    (framing, size) = (.chunked, .max)
    (self.body, outcome) = (body, .failure(saying: reason))
  }

  static let all: [CodedCase] =
    framed + single + levels + padded + members + headers + names + identity + cut + laterMembers
    + digits + gzipEnds + zlibEnds + data + trailing + otherHeaders + mislabelled

  /// Each case for each transport that supports it.
  static let runs = TransportUnderTest.allCases.flatMap { transport in
    all.filter { $0.gap.map { TransportUnderTest.all(but: $0).contains(transport) } ?? true }
      .map { (transport, $0) }
  }
}

// MARK: Valid bodies

extension CodedCase {
  private static let text = Data(Sample.text.utf8)

  private static let framed: [CodedCase] =
    Coded.allCases.flatMap { coded in
      let data = Sample.lines(5_000)
      return Framing.allCases.map { framing in
        CodedCase(
          "\(coded)", coded.name, framing: framing, by: 1_000, is: data
        ) { try coded.body(of: data) }
      }
    }

  private static let single: [CodedCase] =
    Coded.allCases.map { coded in
      CodedCase(
        "\(coded)", coded.name, by: 1, is: text,
        gap: coded == .bareDeflate ? .firstByteOfBareDeflate : nil
      ) { try coded.body(of: text) }
    }

  private static let levels: [CodedCase] =
    ([0, 1, 6] as [Int32]).map { level in
      let data = Sample.lines(20_000)
      return CodedCase(
        "level \(level)", "gzip", framing: .length, is: data
      ) { try Coded.gzip.body(of: data, level: level) }
    }

  /// What servers add after the end, and gzip(1) and browsers ignore; tornado#2714, node#7502, urllib3#5271, yt-dlp#7142.
  private static let padded: [CodedCase] =
    Coded.allCases.flatMap { coded in
      [
        "\0", String(repeating: "\0", count: 512), "\r\n", "  ", "\n \0\n\t",
        String(repeating: " ", count: 65_536),
      ]
      .map { padding in
        CodedCase("padded \(coded)", coded.name, by: 100, is: text, gap: .padding) {
          try coded.body(of: text) + Data(padding.utf8)
        }
      }
    }

  private static let members: [CodedCase] =
    [1, 7, Int.max].map { size in
      CodedCase(
        "members", "gzip", by: size, is: Data("curlew calls".utf8), gap: .gzipMembers
      ) { Data(try ["cur", "", "lew", " calls"].map { try Coded.gzip.body(of: $0) }.joined()) }
    }

  private static let headers: [CodedCase] =
    [1, Int.max].map { size in
      // Extra field, name and comment (RFC 1952 section 2.3).
      let header: [UInt8] = [0x1F, 0x8B, 8, 0b1_1100, 1, 2, 3, 4, 2, 3, 4, 0, 9, 8, 7, 6]
      return CodedCase(
        "full header", "gzip", by: size, is: text
      ) {
        Data(header) + Data("a.json\0a comment\0".utf8)
          + (try Coded.gzip.body(of: text)).dropFirst(10)
      }
    }

  private static let names: [CodedCase] =
    [
      "x-gzip", "GZIP", "X-GZip", "gzip, identity", "identity,gzip",
      "gzip\r\nContent-Encoding: identity", " , gzip,,",
    ].map { CodedCase("", $0, framing: .length, is: text) { try Coded.gzip.body(of: text) } }

  private static let identity: [CodedCase] =
    ["identity", ""].map { CodedCase("", $0, framing: .length, is: text) { text } }
}

// MARK: Damaged bodies with intact HTTP framing

extension CodedCase {
  private static let cut: [CodedCase] =
    Coded.allCases.flatMap { coded in
      let (name, lines) = (coded.name, Sample.lines(1_000))
      let reason = "content coding (\(name)) is cut off"
      let ends: [@Sendable (Data) -> Data] = [
        { $0.prefix(1) }, { $0.prefix($0.count / 2) }, { $0.dropLast() },
        { $0.dropLast(max(coded.checksumLength, 1)) },
      ]
      return ends.map { end in
        CodedCase("\(coded)", name, fails: reason, gap: .cutCoding) {
          end(try coded.body(of: lines))
        }
      }
    }

  private static let laterMembers: [CodedCase] =
    [1, 5, 15, 25].map { count in
      CodedCase(
        "later member of \(count) bytes", "gzip", fails: "content coding (gzip) is cut off"
      ) { try Coded.gzip.body(of: text) + Coded.gzip.body(of: text).prefix(count) }
    }

  private static let digits: [CodedCase] =
    ["gzip", "deflate"].map {
      CodedCase("a digit", $0, fails: "(\($0)) is cut off", gap: .cutCoding) { Data("1".utf8) }
    }

  /// Returns a changed copy of a body.
  private static func changed(_ body: Data, _ change: (inout Data) -> Void) -> Data {
    var copy = body
    change(&copy)
    return copy
  }

  private static let gzipEnds: [CodedCase] =
    (1...8).map { index in
      CodedCase(
        "checksum or length at \(index)", "gzip",
        fails: index > 4 ? "(gzip) is damaged (incorrect data check)" : "incorrect length check"
      ) { changed(try Coded.gzip.body(of: text)) { $0[$0.count - index] ^= 1 } }
    }

  private static let zlibEnds: [CodedCase] =
    (1...4).map { index in
      CodedCase(
        "checksum at \(index)", "deflate", fails: "(deflate) is damaged (incorrect data check)"
      ) { changed(try Coded.zlib.body(of: text)) { $0[$0.count - index] ^= 1 } }
    }

  private static let data: [CodedCase] =
    [Coded.gzip, .zlib].map { coded in
      CodedCase(
        "data", coded.name, fails: "(\(coded.name)) is damaged"
      ) {
        changed(try coded.body(of: Sample.lines(1_000))) { body in
          for index in body.count / 3..<body.count / 3 + 20 { body[index] = 0xFF }
        }
      }
    }

  private static let trailing: [CodedCase] =
    Coded.allCases.flatMap { coded in
      ["\n.", "\0\0\0more", "more", "\u{1F}?", String(repeating: " ", count: 65_537)].map { bytes in
        // Some extra bytes could start another gzip member.
        let isMember = coded == .gzip && bytes.hasPrefix("\u{1F}")
        return CodedCase(
          "more after \(coded)", coded.name,
          fails: isMember
            ? "is damaged (incorrect header check)" : "(\(coded.name)) has data after its end",
          gap: coded == .bareDeflate ? .bytesAfterBareDeflate : nil
        ) { try coded.body(of: text) + Data(bytes.utf8) }
      }
    }

  private static let otherHeaders: [CodedCase] =
    [
      CodedCase(
        "checksum of the header", "gzip", fails: "(gzip) is damaged"
      ) {
        Data([0x1F, 0x8B, 8, 0b10, 0, 0, 0, 0, 0, 3, 0xBA, 0xD0] as [UInt8])
          + (try Coded.gzip.body(of: text)).dropFirst(10)
      },
      // A zlib header that requires a dictionary (RFC 1950 section 2.2).
      CodedCase(
        "dictionary", "deflate", fails: "(deflate) is damaged (it needs a dictionary)"
      ) { Data([0x78, 0xBB, 1, 2, 3, 4, 3, 0] as [UInt8]) },
    ]

  private static let mislabelled: [CodedCase] = [
    CodedCase("text", "gzip", fails: "content coding (gzip) is ") { text },
    CodedCase("text", "deflate", fails: "content coding (deflate) is ") { text },
    CodedCase(
      "gzip", "deflate", fails: "content coding (deflate) is "
    ) { try Coded.gzip.body(of: text) },
    CodedCase(
      "bare deflate", "gzip", fails: "content coding (gzip) is "
    ) { try Coded.bareDeflate.body(of: text) },
    CodedCase(
      "zlib", "gzip", fails: "(gzip) is damaged (incorrect header check)", gap: .zlibAsGzip
    ) { try Coded.zlib.body(of: text) },
  ]
}
