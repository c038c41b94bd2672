#if os(macOS) || os(Linux)
  import Foundation

  extension TerminalApp {
    /// Runs the app until the user quits, or the terminal is closed.
    ///
    /// On a terminal the app has the whole window. The terminal is restored at the end, before signals and traps end the
    /// process, and while Control-Z suspends it. Over a pipe, with `TERM=dumb` or with `lines`, it reads and writes plain
    /// lines, as a screen reader needs them.
    ///
    /// - Parameters:
    ///   - lines: Whether to read and write lines on a terminal, too; by default if the process has the argument `--lines`.
    ///   - mouse: Whether clicks and the wheel belong to the app; without, the mouse selects text, as it does with Shift in most
    ///     terminals.
    ///   - isColored: Whether colours are used; by default on a terminal, unless `NO_COLOR` is set.
    ///   - endsAtSignals: Whether SIGINT, SIGTERM and SIGHUP restore the terminal and end the process here; otherwise, other
    ///     code ends it with `exit`.
    /// - Throws: ``UnknownLine`` for a line of a script, or an error of writing.
    @MainActor
    public func run(
      lines: Bool = CommandLine.arguments.contains("--lines"), mouse: Bool = true,
      isColored: Bool? = nil, endsAtSignals: Bool = true
    ) async throws {
      guard !lines, isatty(STDIN_FILENO) == 1, Terminal.output().hasCursor else {
        let prompt = isatty(STDIN_FILENO) == 1 && Terminal.output().width != nil ? "> " : nil
        return try await LineSession(self, prompt: prompt, on: .output(isColored: isColored)) {
          _ = try? TerminalMode.write($0)
        }.play(Self.standardInput)
      }
      let (events, continuation) = AsyncStream<TerminalEvent>.makeStream()
      let session = TerminalSession(
        self, clock: ContinuousClock(), executor: nil, suspend: TerminalMode.suspend
      ) { continuation.yield($0) }
      TerminalMode.enter(mouse: mouse)
      defer { TerminalMode.leave() }
      let input = TerminalInput(continuation, endsAtSignals: endsAtSignals)
      defer { input.stop() }
      func draw() throws {
        let text = session.draw(on: .output(isColored: isColored), rows: TerminalMode.rows)
        if !text.isEmpty { try TerminalMode.write(text) }
      }
      try draw()
      for await event in events {
        if case .continued = event { TerminalMode.enter(mouse: mouse) }
        if session.handle(event) { return }
        try draw()
      }
    }

    /// The lines of standard input.
    private static var standardInput: AsyncThrowingStream<String, any Error> {
      AsyncThrowingStream {
        // Reading blocks, so it must not run on the shared thread pool of tasks.
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: readLine()) }
        }
      }
    }
  }
#endif
