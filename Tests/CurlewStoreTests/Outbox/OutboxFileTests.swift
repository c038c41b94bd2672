import CurlewScreens
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlewStore

/// The file of an outbox: what a process has stored, another one reads.
@Suite(.timeLimit(.minutes(5)))
struct OutboxFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "outbox-\(UUID())")
  private var file: URL { folder.appending(path: "outbox") }
  private let reports = Reports()

  private final class Reports: Sendable {
    let count = Mutex(0)
  }

  /// Returns the storage as another process has it.
  private func storage() -> any OutboxStorage {
    Outbox.file(at: file, actions: []) { [reports] _ in reports.count.withLock { $0 += 1 } }.storage
  }

  private func record(_ text: String) -> OutboxRecord {
    OutboxRecord(id: UUID(), data: Data(text.utf8))
  }

  private func removeFile() throws { try FileManager.default.removeItem(at: file) }

  private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

  @Test func `records are kept in their order`() throws {
    defer { removeFolder() }
    let (one, two, three) = (record("one"), record("two"), record("three"))
    let storage = storage()
    #expect(try storage.all() == [])
    #expect(
      !FileManager.default.fileExists(atPath: folder.path), "nothing is written before an action")
    try storage.apply([.append(one), .append(two)])
    try storage.apply([.append(three), .remove(two.id)])
    let new = OutboxRecord(id: one.id, data: Data("new".utf8))
    try storage.apply([.replace(new)])
    #expect(try storage.all() == [new, three])
    #expect(try self.storage().all() == [new, three])
    try storage.apply([.remove(two.id), .remove(three.id), .replace(two)])
    #expect(try self.storage().all() == [new])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `processes see each other's changes, and one has the lease`() throws {
    defer { removeFolder() }
    let (one, two) = (storage(), storage())
    let records = (0..<20).map { record("\($0)") }
    for (index, record) in records.enumerated() {
      try (index.isMultiple(of: 2) ? one : two).apply([.append(record)])
    }
    #expect(try one.all() == records)
    #expect(try two.all() == records)
    try two.apply([.remove(records[0].id)])
    try one.apply([.replace(records[0])])
    #expect(try one.all() == Array(records.dropFirst()))
    #expect(try one.acquireLease())
    #expect(try !two.acquireLease())
    one.releaseLease()
    #expect(try two.acquireLease())
  }

  @Test func `a cut file keeps all records before the cut`() throws {
    defer { removeFolder() }
    let records = (0..<4).map { record(String(repeating: "\($0)", count: 10)) }
    var sizes: [Int] = []
    for record in records {
      try storage().apply([.append(record)])
      sizes.append(try Data(contentsOf: file).count)
    }
    let whole = try Data(contentsOf: file)
    let added = record("added")
    for size in 0...whole.count {
      try whole.prefix(size).write(to: file)
      let kept = Array(records.prefix(sizes.prefix { $0 <= size }.count))
      let storage = storage()
      #expect(try storage.all() == kept, "cut at \(size)")
      try storage.apply([.append(added)])
      #expect(try storage.all() == kept + [added], "cut at \(size)")
      #expect(try self.storage().all() == kept + [added], "cut at \(size)")
    }
    // Some file systems extend a file before its contents arrive.
    try (whole.prefix(sizes[2]) + Data(count: 4_096)).write(to: file)
    #expect(try storage().all() == Array(records.prefix(3)))
    #expect(reports.count.withLock { $0 } == 0)
  }

  @Test func `a damaged record is lost alone`() throws {
    defer { removeFolder() }
    let records = (0..<4).map { record(String(repeating: "\($0)", count: 10)) }
    var ends = [24]
    for record in records {
      try storage().apply([.append(record)])
      ends.append(try Data(contentsOf: file).count)
    }
    let whole = try Data(contentsOf: file)
    // With a larger length, the last frame seems to be cut.
    let length = ends[3] + 4..<ends[3] + 8
    for index in whole.indices where !length.contains(index) {
      var damaged = whole
      damaged[index] ^= 0x41
      try damaged.write(to: file)
      let lost = ends.dropFirst().firstIndex { index < $0 }! - 1
      // The header is the title and an identity, which may have any value.
      let kept = records.enumerated().filter { index < 24 || $0.offset != lost }.map(\.element)
      let storage = storage()
      #expect(try storage.all() == kept, "damaged at \(index)")
      let added = record("added")
      try storage.apply([.append(added)])
      #expect(try self.storage().all() == kept + [added], "damaged at \(index)")
    }
    let aside = try Data(contentsOf: file.appendingPathExtension("damaged"))
    #expect(aside.count == whole.count)
    #expect(reports.count.withLock { $0 } == whole.count - 16 - length.count)
  }

  @Test func `a file full of markers opens in proportion to its size`() throws {
    defer { removeFolder() }
    let kept = record("kept")
    try storage().apply([.append(kept)])
    let whole = try Data(contentsOf: file)
    let times = try [20_000, 160_000].map { size in
      var flood = whole
      while flood.count < size {
        flood += Data("CuOb".utf8)
        flood += withUnsafeBytes(of: UInt32(size - flood.count / 2).littleEndian) { Data($0) }
      }
      try (flood + Data(count: size)).write(to: file)
      return processorTime { #expect((try? storage().all()) == [kept]) }
    }
    #expect(times[1] < times[0] * 24, "\(times)")
  }

  @Test func `a version counts the changes of all processes`() throws {
    defer { removeFolder() }
    let (one, two, kept) = (storage(), storage(), record("kept"))
    let first = try #require(try one.version())
    try two.apply([.append(kept), .replace(kept)])
    try one.apply([.append(record("other"))])
    #expect(try one.version() == first + 3)
    #expect(try two.version() == first + 3)
    // As when another process has written the file anew.
    try removeFile()
    try one.apply([.append(kept)])
    #expect(try two.all() == [kept])
    #expect(try two.version() ?? 0 > first + 4)
  }

  @Test func `any other file is kept aside`() throws {
    defer { removeFolder() }
    var random = SeededGenerator(seed: Fuzz.seed())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for _ in 0..<Fuzz.runs(200) {
      let noise = Data((0..<random.pick(24...300)).map { _ in UInt8(random.pick(0...255)) })
      try noise.write(to: file)
      let (storage, added) = (storage(), record("added"))
      #expect(try storage.all() == [])
      try storage.apply([.append(added)])
      #expect(try self.storage().all() == [added])
    }
    #expect(FileManager.default.fileExists(atPath: file.appendingPathExtension("damaged").path))
  }

  @Test func `the file is written anew when it is mostly outdated`() throws {
    defer { removeFolder() }
    let (one, two, kept) = (storage(), storage(), record("kept"))
    try one.apply([.append(kept)])
    var largest = 0
    for index in 0..<2_000 {
      let new = record(String(repeating: "x", count: 200))
      let storage = index.isMultiple(of: 3) ? one : two
      try storage.apply([.append(new)])
      try storage.apply([.remove(new.id)])
      largest = max(largest, try Data(contentsOf: file).count)
    }
    #expect(largest < 70_000)
    #expect(try one.all() == [kept])
    #expect(try two.all() == [kept])
    #expect(!FileManager.default.fileExists(atPath: file.appendingPathExtension("new").path))
  }

  /// `CURLEW_FUZZ=10000` opens 10,000 actions.
  @Test func `opening takes time in proportion to the actions`() throws {
    defer { removeFolder() }
    let outbox = { Outbox.file(at: file, actions: [StarBook.self]) }
    let first = TestStore(outbox: outbox())
    _ = first.stub.hold(Library.star(1))
    first.run { [store = first.store] in _ = try? store.perform(StarBook(id: 1)) }
    let template = try #require(try outbox().storage.all().first)
    var stored = try #require(
      try JSONSerialization.jsonObject(with: template.data) as? [String: Any])
    var times: [Duration] = []
    let most = Fuzz.runs(2_000)
    for count in [most / 10, most] {
      try FileManager.default.removeItem(at: folder)
      let records = try (1...count).map { id in
        stored["queue"] = "star \(id)"
        stored["action"] = try JSONEncoder().encode(StarBook(id: id)).base64EncodedString()
        return OutboxRecord(id: UUID(), data: try JSONSerialization.data(withJSONObject: stored))
      }
      try outbox().storage.apply(records.map { .append($0) })
      var test: TestStore?
      times.append(processorTime { test = TestStore(outbox: outbox()) })
      #expect(test?.store.outbox.value.count == count)
    }
    #expect(times[1] < times[0] * 30, "\(times)")
  }

  #if os(macOS) || os(Linux)
    @Test func `a full disk refuses a change and keeps the others`() async {
      await #expect(processExitsWith: .success) {
        let tests = OutboxFileTests()
        defer { tests.removeFolder() }
        signal(SIGXFSZ, SIG_IGN)
        let (storage, kept) = (tests.storage(), tests.record("kept"))
        try storage.apply([.append(kept)])
        var limit = rlimit()
        #if os(Linux)
          let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
          let resource = RLIMIT_FSIZE
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = 1_000
        setrlimit(resource, &limit)
        for _ in 0..<3 {
          #expect(throws: POSIXError.self) {
            try storage.apply([.append(tests.record(String(repeating: "x", count: 2_000)))])
          }
        }
        try storage.apply([.append(tests.record("small"))])
        #expect(try tests.storage().all().count == 2)
        #expect(tests.reports.count.withLock { $0 } == 1)
      }
    }
  #endif
}
