import Curlew
import Foundation
import Synchronization

/// Stores a body: a small one at once, a larger one in chunks while it arrives.
final class SQLiteCacheWriter: CacheWriter {
  /// How many bytes are collected for a transaction, and how many chunks it has at most.
  private static let batch = (minimum: 4 * CacheRow.chunkSize, maximum: 16)

  private struct State {
    var buffer = Data()
    var size = 0
    /// The entry, as soon as a part of it is written.
    var entry: SQLiteCacheStorage.PendingEntry?
    var isStored = false
    var hasFailed = false
  }

  private let storage: SQLiteCacheStorage
  private let response: StoredResponse
  private let key: CacheKey
  private let replaced: [StoredResponse.ID]
  private let room: Int
  private let purges: Int
  private let state = Mutex(State())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - room: The maximum size of the body.
  ///   - purges: How often accounts have been purged before.
  init(
    _ storage: SQLiteCacheStorage, _ response: StoredResponse, _ key: CacheKey,
    _ replaced: [StoredResponse.ID], room: Int, purges: Int
  ) {
    (self.storage, self.response, self.key) = (storage, response, key)
    (self.replaced, self.room, self.purges) = (replaced, room, purges)
  }

  deinit {
    let state = state.withLock { $0 }
    guard !state.isStored, let entry = state.entry else { return }
    storage.abandon(entry)
  }

  func append(_ chunk: Data) async -> Bool {
    let isFull = state.withLock { state -> Bool? in
      state.size += chunk.count
      guard !state.hasFailed, state.size <= room else {
        state.hasFailed = true
        return nil
      }
      // Usually the only chunk: shared, not copied.
      if state.buffer.isEmpty { state.buffer = chunk } else { state.buffer.append(chunk) }
      return state.buffer.count >= Self.batch.minimum
    }
    guard let isFull else { return false }
    return isFull ? await write(all: false) : true
  }

  func finish() async -> Bool {
    let (size, body, hasFailed) = state.withLock { ($0.size, $0.buffer, $0.hasFailed) }
    guard !hasFailed else { return false }
    var response = response
    response.bodySize = Int64(size)
    guard size > CacheRow.inlineSize else {
      return await storage.insert(response, key, body, replacing: replaced, purges: purges)
    }
    guard await write(all: true), let entry = state.withLock({ $0.entry }) else { return false }
    let isStored = await storage.finish(
      response, key, entry, replacing: replaced, purges: purges)
    state.withLock { $0.isStored = isStored }
    return isStored
  }

  /// Writes the chunks that are complete, or all.
  private func write(all: Bool) async -> Bool {
    while let (chunks, entry) = state.withLock({ Self.takeChunks(&$0, all: all) }) {
      let written = await storage.append(chunks, to: entry, of: response.id, key)
      let isWritten = state.withLock { state in
        state.entry = written ?? entry
        state.hasFailed = written == nil
        return !state.hasFailed
      }
      guard isWritten else { return false }
    }
    return true
  }

  private static func takeChunks(
    _ state: inout State, all: Bool
  ) -> (chunks: [Data], entry: SQLiteCacheStorage.PendingEntry?)? {
    var chunks: [Data] = []
    while chunks.count < batch.maximum,
      state.buffer.count >= CacheRow.chunkSize || (all && !state.buffer.isEmpty)
    {
      chunks.append(state.buffer.prefix(CacheRow.chunkSize))
      state.buffer = state.buffer.dropFirst(CacheRow.chunkSize)
    }
    // An empty part would keep the whole chunk in memory.
    if state.buffer.isEmpty { state.buffer = Data() }
    return chunks.isEmpty ? nil : (chunks, state.entry)
  }
}
