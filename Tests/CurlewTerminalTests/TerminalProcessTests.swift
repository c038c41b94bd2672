#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A process in a real terminal: whatever ends it, the terminal is as it was before.
  @Suite(.timeLimit(.minutes(2)))
  struct TerminalProcessTests {
    private static let start = "\u{1B}[?1049h"
    private static let restored = "\u{1B}[?1049l"

    /// A running process.
    private struct Run {
      let terminal: PseudoTerminal
      let process: Process
      let before: [tcflag_t]
      let screen: Task<String, Never>

      var number: Int32 { process.processIdentifier }

      /// Waits for the end; returns it with the whole output.
      func end() async throws -> (end: ProcessEnd, text: String) {
        let end = await process.end()
        #expect(terminal.settings == before, "the settings of stty are as before")
        try terminal.terminal.close()
        return (end, await screen.value)
      }
    }

    private func run(
      columns: UInt16 = 80, rows: UInt16 = 24, _ environment: [String: String] = [:],
      arguments: [String] = [], isRead: Bool = true
    ) throws -> Run {
      let terminal = try PseudoTerminal(columns: columns, rows: rows)
      let (process, screen) = (Process(), isRead ? terminal.read() : Task { "" })
      process.executableURL = URL(filePath: ChildProcess.built("terminal-process"))
      process.arguments = arguments
      // No file with the memory of a process that ends by a trap, and no time for its backtrace.
      process.environment = ["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"]
        .merging(environment) { $1 }
      process.standardInput = terminal.terminal
      process.standardOutput = terminal.terminal
      process.standardError = FileHandle.nullDevice
      let before = terminal.settings
      try process.run()
      return Run(terminal: terminal, process: process, before: before, screen: screen)
    }

    @Test(arguments: [(80, 24), (40, 12), (200, 50)] as [(UInt16, UInt16)])
    func `rows are drawn at any size, and q restores the terminal`(
      columns: UInt16, rows: UInt16
    ) async throws {
      let run = try run(columns: columns, rows: rows)
      let seen = await run.terminal.wait(for: "秋田犬ハチ公")
      try run.terminal.type("\u{1B}[B\u{1B}[F")
      await run.terminal.wait(for: "5000", after: seen)
      try run.terminal.type("q")
      let (end, text) = try await run.end()
      #expect(end == .success)
      #expect(text.hasPrefix(Self.start) && text.hasSuffix(Self.restored))
      #expect(!text.contains("\u{1B}[31mred"), "the text of a row")
    }

    @Test func `a paste of 100,000 characters is cut, and no letter of it is a key`() async throws {
      let run = try run()
      await run.terminal.wait(for: "Text")
      let text = String(repeating: "q!\r", count: 33_334)
      try run.terminal.type("\u{1B}[200~\(text)\u{1B}[201~")
      let seen = await run.terminal.wait(for: "10000 characters")
      try run.terminal.type("\u{15}")
      await run.terminal.wait(for: "0 characters", after: seen)
      try run.terminal.type("\u{03}")
      #expect(try await run.end().end == .success)
    }

    @Test func `a storm of resizes ends with the last size`() async throws {
      let run = try run()
      await run.terminal.wait(for: "Text")
      for size in (20..<220).reversed() {
        run.terminal.resize(columns: UInt16(size), rows: UInt16(size / 3))
        kill(run.number, SIGWINCH)
      }
      run.terminal.resize(columns: 66, rows: 11)
      kill(run.number, SIGWINCH)
      await run.terminal.wait(for: "\u{1B}[11;1H")
      try run.terminal.type("\u{03}")
      #expect(try await run.end().end == .success)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGILL, SIGTRAP, SIGSEGV])
    func `a signal restores the terminal and ends the process`(signal: Int32) async throws {
      let run = try run()
      await run.terminal.wait(for: "Text")
      kill(run.number, signal)
      let (end, text) = try await run.end()
      #expect(!end.isExit && end.status == signal)
      #expect(text.hasSuffix(Self.restored))
    }

    @Test func `a trap restores the terminal`() async throws {
      let run = try run()
      await run.terminal.wait(for: "Text")
      try run.terminal.type("\u{1B}[B!")
      let (end, text) = try await run.end()
      #expect(!end.isExit && [SIGILL, SIGTRAP].contains(end.status))
      #expect(text.hasSuffix(Self.restored))
    }

    @Test func `a stopped process draws the window again`() async throws {
      let run = try run()
      let seen = await run.terminal.wait(for: "Text")
      kill(run.number, SIGSTOP)
      kill(run.number, SIGCONT)
      await run.terminal.wait(for: "\u{1B}[2J", after: seen)
      try run.terminal.type("\u{03}")
      let (end, text) = try await run.end()
      #expect(end == .success && text.hasSuffix(Self.restored))
    }

    /// The process has a process group of its own, so that this process is not stopped.
    @Test(arguments: [true, false])
    func `a suspended process restores the terminal until it continues`(isKey: Bool) async throws {
      let run = try run()
      let seen = await run.terminal.wait(for: "Text")
      if isKey { try run.terminal.type("\u{1A}") } else { kill(run.number, SIGTSTP) }
      let stopped = await run.terminal.wait(for: Self.restored, after: seen)
      #expect(run.terminal.settings == run.before)
      var info = siginfo_t()
      #expect(waitid(P_PID, id_t(run.number), &info, WSTOPPED | WNOWAIT) == 0, "it has stopped")
      kill(run.number, SIGCONT)
      await run.terminal.wait(for: Self.start, after: stopped)
      try run.terminal.type("\u{03}")
      #expect(try await run.end().end == .success)
    }

    @Test func `a closed terminal ends the process`() async throws {
      let run = try run(isRead: false)
      try run.terminal.close(after: "Text")
      #expect(await run.process.end().status != SIGKILL)
    }

    @Test(
      arguments: [
        (["TERM": "dumb"], []), (["TERM": "xterm"], ["--lines"]),
      ] as [([String: String], [String])])
    func `plain lines are for dumb terminals and screen readers`(
      environment: [String: String], arguments: [String]
    ) async throws {
      let run = try run(environment, arguments: arguments)
      await run.terminal.wait(for: "4900 more rows\r\n")
      try run.terminal.type("text abc\n")
      await run.terminal.wait(for: "3 characters\r\n")
      try run.terminal.type("\u{04}")
      let (end, text) = try await run.end()
      #expect(end == .success && !text.contains("\u{1B}"))
    }

    @Test func `LANG without UTF-8 gets ASCII`() async throws {
      let run = try run(["LANG": "C"])
      await run.terminal.wait(for: "????????????")
      try run.terminal.type("\u{03}")
      let (end, text) = try await run.end()
      #expect(end == .success && text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `a pipe gets plain lines`() async throws {
      let (end, output) = try await Process.run([ChildProcess.built("terminal-process")])
      let text = String(decoding: output, as: UTF8.self)
      #expect(end == .success)
      #expect(text.hasPrefix("Rows\n0 characters\n1. ") && !text.contains("\u{1B}"))
    }
  }
#endif
