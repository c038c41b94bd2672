import Curlew
import HTTPTypes
import Testing

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-99/1000", 0...99, 1_000), ("Bytes 5-5/6", 5...5, 6), ("bytes 0-99/*", 0...99, nil),
      ("bytes */1000", nil, 1_000), ("bytes  7-8/9 ", 7...8, 9),
    ] as [(String, ClosedRange<Int>?, Int?)])
  func rangesAreRead(text: String, bytes: ClosedRange<Int>?, total: Int?) throws {
    let fields: HTTPFields = [.contentRange: text]
    let range = try #require(fields.contentRange)
    #expect(range.bytes == bytes)
    #expect(range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-99", "bytes */*", "bytes 9-0/10", "bytes 0-10/10", "bytes -5/10",
    "bytes 0-/10", "items 0-1/2", "bytes=0-99/1000", "bytes 0-99/1000x", "bytes 0 - 9/10",
    "bytes 0-99999999999999999999/*", "bytes a-b/c",
  ])
  func whatCantBeTrueIsNone(text: String) {
    #expect(ContentRange(text) == nil)
  }
}
