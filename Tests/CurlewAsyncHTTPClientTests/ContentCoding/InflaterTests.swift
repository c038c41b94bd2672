import CurlewAsyncHTTPClient
import Foundation
import TestSupport
import Testing

@Suite("The inflater", .timeLimit(.minutes(1)))
struct InflaterTests {
  private let text = Data(CodedSample.text.utf8)

  /// Inflates with limited input and output sizes per step, and returns the output and the number of unread bytes.
  private func inflated(
    _ input: Data, _ wrapping: Inflater.Wrapping, reading: Int = .max, room: Int = 1_000
  ) throws -> (output: Data, rest: Int, isAtEnd: Bool) {
    let inflater = try Inflater(wrapping)
    var (output, rest, isAtEnd) = (Data(), [UInt8](input), false)
    var space = [UInt8](repeating: 0xAA, count: room)
    while !isAtEnd {
      let piece = Array(rest.prefix(reading))
      let step = try piece.withUnsafeBytes { input in
        try space.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
      }
      try #require(step.read <= piece.count && step.written <= room)
      rest.removeFirst(step.read)
      output.append(contentsOf: space.prefix(step.written))
      isAtEnd = step.isAtEnd
      if step == Inflater.Step() { break }
    }
    return (output, rest.count, isAtEnd)
  }

  private func wrapping(_ coded: Coded) -> Inflater.Wrapping {
    switch coded {
    case .gzip: .gzip
    case .zlib: .zlib
    default: .none
    }
  }

  @Test(arguments: Coded.inZlib, [(1, 1), (1, 1_000), (1_000, 1), (7, 3)])
  func `input and room may be as small as they are`(coded: Coded, sizes: (Int, Int)) throws {
    let body = try coded.body(of: text)
    let result = try inflated(body, wrapping(coded), reading: sizes.0, room: sizes.1)
    #expect(result == (text, 0, true))
  }

  @Test
  func `no room is no progress`() throws {
    let body = try Coded.gzip.body(of: text)
    let inflater = try Inflater(.gzip)
    let step = try body.withUnsafeBytes {
      try inflater.inflate($0, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
    #expect(step == Inflater.Step())
  }

  @Test
  func `no input is no progress`() throws {
    let inflater = try Inflater(.zlib)
    var room: [UInt8] = [1, 2, 3]
    let step = try room.withUnsafeMutableBytes {
      try inflater.inflate(UnsafeRawBufferPointer(start: nil, count: 0), into: $0)
    }
    #expect(step == Inflater.Step())
    #expect(room == [1, 2, 3])
  }

  @Test
  func `damage stays until it begins anew`() throws {
    let inflater = try Inflater(.gzip)
    var room = [UInt8](repeating: 0, count: 1_000)
    func inflate(_ data: Data) throws -> Inflater.Step {
      try data.withUnsafeBytes { input in
        try room.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
      }
    }
    let body = try Coded.gzip.body(of: text)
    for _ in 0..<2 {
      #expect(throws: Inflater.DataError(reason: "incorrect header check")) {
        _ = try inflate(Data("no gzip".utf8))
      }
    }
    #expect(throws: Inflater.DataError.self) { _ = try inflate(body) }
    inflater.restart()
    #expect(try inflate(body).isAtEnd)
    #expect(Data(room.prefix(text.count)) == text)
  }
}
