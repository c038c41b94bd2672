#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Kills a process that performs and sends actions, at random moments.
  @Suite(.timeLimit(.minutes(30)))
  struct OutboxKillTests {
    /// `CURLEW_FUZZ=2000` sets the number of kills.
    @Test func `a killed process loses and doubles no action`() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "outbox-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      var random = SeededGenerator(seed: Fuzz.seed())
      let kills = Fuzz.runs(24)
      for kill in 1...kills {
        let end = try await run(folder, kill, life: random.pick(5_000...120_000))
        try #require(end.status == SIGKILL && !end.isExit)
      }
      try #require(try await run(folder, kills + 1, life: 0) == .success)

      let kinds = Dictionary(
        uniqueKeysWithValues: try lines(folder, "shown").map { line in
          let words = line.split(separator: " ")
          return (String(words[0]), words[1])
        })
      var (keys, order): ([String: Set<String>], [String: Int]) = ([:], [:])
      for line in try lines(folder, "effects") {
        let words = line.split(separator: " ").map(String.init)
        let (path, key) = (words[0], words[1])
        // An action that was stored is performed, even if its process was killed before it reported the action.
        let isRepeated = keys[path] != nil
        if isRepeated { #expect(kinds[path] != "2", "\(path) was performed twice") }
        keys[path, default: []].insert(key)
        let parts = path.split(separator: "/").map(String.init)
        if !isRepeated {
          #expect(order[parts[2]] ?? 0 < Int(parts[3])!, "\(path) overtook another action")
          order[parts[2]] = Int(parts[3])
        }
      }
      for (path, kind) in kinds {
        #expect(keys[path] != nil, "\(path) was lost")
        if kind == "0" { #expect(keys[path]?.count == 1, "\(path) had several keys") }
      }
      print(
        "\(kills) kills, \(kinds.count) actions, \(try lines(folder, "effects").count) requests")
      #expect(kinds.count >= kills / 2)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.hasSuffix("damaged") })
    }

    private func run(_ folder: URL, _ seed: Int, life: Int) async throws -> ProcessEnd {
      try await Process.run(
        [ChildProcess.built("outbox-process"), folder.path, "\(seed)", "\(life)"]
      ).end
    }

    private func lines(_ folder: URL, _ name: String) throws -> [Substring] {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
    }
  }
#endif
