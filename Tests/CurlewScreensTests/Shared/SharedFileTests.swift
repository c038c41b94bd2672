import CurlewScreens
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import shared_process

/// Shared values that are kept in files.
@Suite(.timeLimit(.minutes(10)))
struct SharedFileTests {
  private final class Problems: Sendable {
    let errors = Mutex<[String]>([])
    var count: Int { errors.withLock { $0.count } }
  }

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "shared-\(UInt64.random(in: 0 ... .max))")
  private let problems = Problems()

  private func shared<Value: Codable & Equatable & Sendable>(
    _ value: Value, _ name: String = "value.json"
  ) -> Shared<Value> {
    Shared(value, file: folder.appending(path: name)) { [problems] error in
      problems.errors.withLock { $0.append("\(error)") }
    }
  }

  /// The stored numbers.
  private func numbers(_ name: String = "value.json") -> [Int] { shared([], name).value }

  private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

  /// `CURLEW_FUZZ=100000` sets the number of random files.
  @Test func `hostile files never end the process`() async {
    await #expect(processExitsWith: .success) {
      let tests = SharedFileTests()
      defer { tests.removeFolder() }
      try FileManager.default.createDirectory(
        at: tests.folder, withIntermediateDirectories: true)
      var random = SeededGenerator(seed: Fuzz.seed())
      let noise = (0..<Fuzz.runs(2_000)).map { _ in HostileJSON.noise(&random) }
      let texts = HostileJSON.nested + HostileJSON.json5 + HostileJSON.deepest
      for (index, text) in (texts + noise).enumerated() {
        try text.write(to: tests.folder.appending(path: "value.json"))
        let shared = tests.shared(["usual"])
        if index < texts.count { #expect(shared.value == ["usual"]) }
      }
      #expect(tests.problems.count >= texts.count)
    }
  }

  @Test func `the next launch has what was settled`() async {
    defer { removeFolder() }
    let first = shared(["a"])
    first.update { $0.append("b") }
    let (begun, gate) = (Gate(), Gate())
    async let edit: Void = {
      try? await first.edit({ $0.append("c") }) {
        begun.open()
        await gate.wait()
        throw CancellationError()
      }
    }()
    await begun.wait()
    first.update { $0[0] = "A" }
    await first.saved()
    #expect(first.value == ["A", "b", "c"])
    // An edit after a pending edit stays pending, too.
    #expect(shared(["z"]).value == ["a", "b"])
    gate.open()
    await edit
    await first.saved()
    #expect(shared(["z"]).value == ["A", "b"])
    #expect(problems.count == 0)
  }

  @Test func `what is settled is kept without what is not`() async throws {
    defer { removeFolder() }
    let value = shared(["a"])
    let gates = (0..<2).map { _ in (begun: Gate(), end: Gate()) }
    let edits = gates.enumerated().map { index, gate in
      Task {
        // In the edits' order.
        if index == 1 { await gates[0].begun.wait() }
        try await value.edit {
          $0.append("\(index)")
        } while: {
          gate.begun.open()
          await gate.end.wait()
        }
      }
    }
    for gate in gates { await gate.begun.wait() }
    gates[0].end.open()
    try await edits[0].value
    await value.saved()
    #expect(value.value == ["a", "0", "1"])
    #expect(shared([]).value == ["a", "0"])
    gates[1].end.open()
    try await edits[1].value
    await value.saved()
    #expect(shared([]).value == ["a", "0", "1"])
  }

  @Test func `the file is replaced as a whole`() async throws {
    defer { removeFolder() }
    let value = shared(["first"])
    value.update { $0.append("second") }
    await value.saved()
    let file = folder.appending(path: "value.json")
    // A concurrent reader still reads the old file.
    let (old, handle) = (try Data(contentsOf: file), try FileHandle(forReadingFrom: file))
    value.update { $0 = ["third"] }
    await value.saved()
    #expect(try handle.readToEnd() == old)
    #expect(shared([]).value == ["third"])
  }

  @Test(arguments: ["", "{", "[1, 2", "{\"a\":1}", "\u{FEFF}", "[\"a\"]"])
  func `a damaged file is set aside`(text: String) async throws {
    defer { removeFolder() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "value.json")
    try Data(text.utf8).write(to: file)
    let value: Shared<[Int]> = shared([1])
    #expect(value.value == [1])
    #expect(problems.count == 1)
    let aside = try Data(contentsOf: file.appendingPathExtension("damaged"))
    #expect(aside == Data(text.utf8))
    value.update { $0.append(2) }
    await value.saved()
    let next: Shared<[Int]> = shared([0])
    #expect(next.value == [1, 2])
    #expect(problems.count == 1)
  }

  @Test func `several damaged files are kept`() async throws {
    defer { removeFolder() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for text in ["{", "[", "]"] {
      try Data(text.utf8).write(to: folder.appending(path: "value.json"))
      #expect(shared(1).value == 1)
    }
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".damaged") }
    let texts = try kept.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    #expect(texts.sorted() == ["[", "]", "{"])
  }

  @Test(arguments: ["other.json", "made/later.json"])
  func `a symbolic link is followed`(target: String) async throws {
    defer { removeFolder() }
    let link = folder.appending(path: "links/value.json")
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "../" + target)
    let value = shared([1], "links/value.json")
    value.update { $0.append(2) }
    await value.saved()
    #expect(problems.count == 0)
    let destination = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
    #expect(destination == "../" + target)
    for name in [target, "links/value.json"] { #expect(numbers(name) == [1, 2]) }
  }

  @Test func `the file belongs to its user alone`() async throws {
    defer { removeFolder() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "value.json")
    // Left by a process that was killed.
    for name in ["value.json", "value.json.new"] {
      let path = folder.appending(path: name).path
      try Data("1".utf8).write(to: URL(filePath: path))
      chmod(path, 0o666)
    }
    let value = shared(0)
    value.update { $0 += 1 }
    await value.saved()
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(shared(0).value == 2)
  }

  #if os(macOS) || os(Linux)
    @Test func `a file without permission to read is kept`() async {
      await #expect(processExitsWith: .success) {
        // Nothing is forbidden to root.
        if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
        let tests = SharedFileTests()
        defer { tests.removeFolder() }
        try FileManager.default.createDirectory(
          at: tests.folder, withIntermediateDirectories: true)
        let file = tests.folder.appending(path: "value.json")
        try Data("[1]".utf8).write(to: file)
        chmod(file.path, 0)
        let value = tests.shared([0])
        value.update { $0.append(2) }
        await value.saved()
        #expect(value.value == [0, 2])
        #expect(tests.problems.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: tests.folder.path)
        #expect(names == ["value.json"])
        chmod(file.path, 0o600)
        #expect(try Data(contentsOf: file) == Data("[1]".utf8))
      }
    }
  #endif

  @Test func `the stored value comes when the file can be read`() async throws {
    defer { removeFolder() }
    let file = folder.appending(path: "value.json")
    // A folder can't be read.
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let clock = TestClock()
    let value = Shared([0], file: file, clock: clock) { [problems] error in
      problems.errors.withLock { $0.append("\(error)") }
    }
    var values = value.values.makeAsyncIterator()
    #expect(await values.next() == [0])
    value.update { $0.append(2) }
    #expect(await values.next() == [0, 2])
    let (begun, gate) = (Gate(), Gate())
    async let edit: Void = value.edit({ $0.append(3) }) {
      begun.open()
      await gate.wait()
    }
    await begun.wait()
    #expect(await values.next() == [0, 2, 3])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers()
    #expect(problems.count == 1, "it is said once")

    try FileManager.default.removeItem(at: file)
    try Data("[1]".utf8).write(to: file)
    clock.advance(by: .seconds(1))
    #expect(await values.next() == [1, 2, 3])
    await value.saved()
    #expect(numbers() == [1, 2], "without the edit that is not settled")
    gate.open()
    try await edit
    await value.saved()
    #expect(numbers() == [1, 2, 3])
    #expect(clock.sleepers == 0)
  }

  @Test func `a value that can not be written is said and kept`() async throws {
    defer { removeFolder() }
    // A file blocks the folder's path.
    try Data().write(to: folder)
    let value = shared(1)
    value.update { $0 = 2 }
    await value.saved()
    #expect(value.value == 2)
    #expect(problems.count >= 1)
  }

  #if os(macOS) || os(Linux)
    @Test func `a killed process leaves a whole file`() async throws {
      defer { removeFolder() }
      let file = folder.appending(path: "draft.json")
      var random = SeededGenerator(seed: Fuzz.seed())
      var last = 0
      for round in 0..<Fuzz.size(4, full: 200) {
        let (child, _) = try await ChildProcess.start(
          ChildProcess.built("shared-process"), [file.path], readyWhen: "(ready)")
        usleep(UInt32(random.pick(0...20_000)))
        await child.stop()
        let draft = shared(Draft(number: 0), "draft.json").value
        #expect(draft.isWhole && draft.number > last, "round \(round)")
        last = draft.number
      }
      #expect(problems.count == 0)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(left).isSubset(of: ["draft.json", "draft.json.new"]))
    }
  #endif
}
