package import Curlew
package import Foundation
import HTTPTypes

/// A response whose entry shows whether it was stored completely, and under its own key.
package struct SampleResponse: Sendable {
  package let key: CacheKey
  let seed: UInt64
  let size: Int

  package init(_ name: String, account: String? = nil, seed: UInt64 = 1, size: Int = 100) {
    key = CacheKey(account: account, url: "https://api.example/\(name)")
    (self.seed, self.size) = (seed, size)
  }

  private static let block = 4096

  /// A body in which all 4 KiB blocks differ.
  package var body: Data {
    var block = Data(count: Self.block)
    var word = seed &* 0x9E37_79B9_7F4A_7C15
    for index in block.indices {
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      block[index] = UInt8(word >> 56)
    }
    var body = Data(capacity: size + Self.block)
    while body.count < size {
      body.append(block)
      var number = UInt64(body.count) ^ seed
      withUnsafeBytes(of: &number) { body.replaceSubrange(body.count - 8..<body.count, with: $0) }
    }
    return body.prefix(size)
  }

  package var response: StoredResponse {
    let head = HTTPResponse(
      status: .ok,
      headerFields: [
        .eTag: "\"\(seed)-\(size)\"", .location: key.url, .from: key.account ?? "nobody",
      ])
    let time = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7)
    return StoredResponse(
      head: head, requestTime: time, responseTime: time, bodySize: Int64(size))
  }

  /// Stores the response; returns the stored response, or `nil`.
  @discardableResult
  package func store(
    in storage: any CacheStorage, replacing replaced: [StoredResponse.ID] = [], chunk: Int = .max
  ) async -> StoredResponse? {
    let response = response
    guard let writer = await storage.store(response, for: key, replacing: replaced) else {
      return nil
    }
    var rest = body
    while !rest.isEmpty {
      guard await writer.append(Data(rest.prefix(chunk))) else { return nil }
      rest = rest.dropFirst(chunk)
    }
    return await writer.finish() ? response : nil
  }

  /// Returns the problem of an entry under a key; `nil` if it equals the stored response.
  ///
  /// - Throws: The error of reading its body.
  package static func fault(of entry: CacheEntry, for key: CacheKey) async throws -> String? {
    let fields = entry.response.head.headerFields
    guard fields[.location] == key.url, fields[.from] == key.account ?? "nobody" else {
      return "\(key) has \(fields)"
    }
    let numbers = (fields[.eTag] ?? "").split { !$0.isNumber }.compactMap { UInt64($0) }
    guard numbers.count == 2 else { return "\(key) has \(fields)" }
    let sample = SampleResponse("", seed: numbers[0], size: Int(numbers[1]))
    guard entry.response.bodySize == sample.size else { return "\(key) has another size" }
    let body = try await entry.body.collect(upTo: .max)
    return body == sample.body ? nil : "\(key) has another body: \(body.count) of \(sample.size)"
  }
}
