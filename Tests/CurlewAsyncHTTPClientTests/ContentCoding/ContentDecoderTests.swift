import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite("The decoder of a content coding", .timeLimit(.minutes(10)))
struct ContentDecoderTests {
  /// Decodes a body that arrives in pieces of `size` bytes.
  private func decoded(
    _ body: Data, _ coding: ContentCoding, by size: Int = .max, limit: Int = .max
  ) throws -> Data {
    var (decoder, output, rest) = (ContentDecoder(coding), Data(), body)
    repeat {
      decoder.append(Data(rest.prefix(size)))
      rest = rest.dropFirst(size)
      while let piece = try decoder.next() {
        try #require(!piece.isEmpty && piece.count <= ContentDecoder.pieceSize)
        output.append(piece)
        if output.count > limit { return output }
      }
    } while !rest.isEmpty
    try decoder.finish()
    return output
  }

  private func coding(_ coded: Coded) throws -> ContentCoding {
    try #require(ContentCoding(rawValue: coded.name))
  }

  @Test(arguments: Coded.allCases, [1, 2, 3, 1_000, Int.max])
  func `pieces may be of any size`(coded: Coded, size: Int) throws {
    let data = CodedSample.lines(2_000)
    let body = try coded.body(of: data)
    #expect(try decoded(body, coding(coded), by: size) == data)
  }

  @Test(arguments: Coded.allCases, [0, 1, 65_535, 65_536, 65_537, 131_072, 131_073])
  func `body may fill its last piece exactly`(coded: Coded, size: Int) throws {
    for level: Int32 in [0, 9] {
      let body = try coded.body(of: Data(repeating: 7, count: size), level: level)
      #expect(try decoded(body, coding(coded)) == Data(repeating: 7, count: size))
    }
  }

  @Test(arguments: Coded.allCases)
  func `no prefix of a body is whole`(coded: Coded) throws {
    let body = try coded.body(of: CodedSample.text)
    for count in 1..<body.count {
      #expect(throws: Client.TransportFailure.self, "\(count)") {
        _ = try decoded(body.prefix(count), coding(coded))
      }
    }
  }

  @Test(arguments: [Coded.gzip, .zlib])
  func `no flipped bit is a wrong success`(coded: Coded) throws {
    let data = Data(CodedSample.text.utf8)
    let body = try coded.body(of: data)
    var harmless = 0
    for bit in 0..<body.count * 8 {
      var damaged = body
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let value = try? decoded(damaged, coding(coded)) else { continue }
      #expect(value == data, "\(bit)")
      harmless += 1
    }
    // The time, system and hints in gzip's header (RFC 1952 section 2.3); none in zlib's.
    #expect(coded == .gzip ? 40...60 ~= harmless : harmless <= 2)
  }

  @Test(arguments: Coded.allCases)
  func `damaged bodies are errors or harmless`(coded: Coded) async throws {
    let data = CodedSample.lines(20)
    let body = try coded.body(of: data)
    let coding = try coding(coded)
    var damage = Corruption(seed: Fuzz.seed())
    for run in 0..<Fuzz.runs(5_000) {
      // Yields, so that a long run doesn't block other tests.
      if run.isMultiple(of: 100) { await Task.yield() }
      let damaged = damage.applied(to: body)
      let size = damage.element(of: [1, 10, 100, Int.max])
      guard let value = try? decoded(damaged, coding, by: size, limit: 1_000_000) else { continue }
      // A value beyond the limit does not count as success.
      guard value.count <= 1_000_000, coded.isChecked(damaged, of: body) else { continue }
      if !Corruption.isHarmless(damaged, value, data) {
        Issue.record("Run \(run) of seed \(Fuzz.seed()) is a wrong success.")
      }
    }
  }

  /// Data that starts like zlib but is bare deflate, and vice versa.
  @Test
  func `bare deflate is told from zlib`() throws {
    // A stored, non-final block with zero unused bits, followed by an empty final block.
    let stored = Data([0x00, 0x02, 0x00, 0xFD, 0xFF, 0x68, 0x69, 0x03, 0x00])
    #expect(try decoded(stored, .deflate) == Data("hi".utf8))
    // The low bits match zlib's, but the check bits don't: unused bits may have any value.
    var odd = stored
    odd[0] = 0x78
    #expect(try decoded(odd, .deflate) == Data("hi".utf8))
  }

  /// CI has the libraries of all codings.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] != nil))
  func `br and zstd are decoded with their libraries`() {
    #expect(ContentCoding.accepted == "gzip, deflate, br, zstd")
  }

  @Test(.enabled(if: Coded.allCases.contains(.zstandard)))
  func `zstd has several frames, and frames to skip`() throws {
    let skipped = Data([0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3])
    let frames = try ["cur", "", "lew"].map { try Coded.zstandard.body(of: $0) + skipped }
    for size in [1, 7, Int.max] {
      #expect(
        try decoded(skipped + Data(frames.joined()), .init(rawValue: "zstd")!, by: size)
          == Data("curlew".utf8))
    }
  }

  /// A frame whose window has more than 8 MiB (RFC 9659) would take that memory for each response.
  @Test(.enabled(if: Coded.allCases.contains(.zstandard)))
  func `zstd with a large window is an error`() throws {
    // A window of 2^(10 + 14) bytes, then an empty last block (RFC 8878 section 3.1.1).
    let frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 14 << 3, 1, 0, 0])
    #expect(throws: Client.TransportFailure.self) { try decoded(frame, .init(rawValue: "zstd")!) }
    var small = frame
    small[5] = 13 << 3
    #expect(try decoded(small, .init(rawValue: "zstd")!).isEmpty)
  }
}
