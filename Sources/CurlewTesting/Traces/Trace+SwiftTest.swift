public import CurlewScreens

extension Trace {
  /// Returns the Swift code of a test for each screen, which repeats the events, the times and the values with a
  /// ``ScreenProbe``, and compares the last state.
  ///
  /// A value without Swift code becomes `#error("fill in: …")`.
  ///
  /// - Parameter screen: The code of the screen, whose work calls `next(for: ())` of the test's ``PendingResponses``; by
  ///   default, to be filled in.
  public func swiftTest(screen: String? = nil) -> String {
    let modules = ["CurlewScreens", "CurlewTesting", "Foundation", "Testing"]
    let imports = Set(modules + screens.flatMap(\.modules)).subtracting(["Swift", "CurlewSupport"])
    // Not what ends a name.
    func plain(_ name: String) -> String { name.filter { !"`\\".contains($0) && !$0.isNewline } }
    let tests = screens.enumerated().map { index, trace in
      let number = screens.count > 1 ? " \(index + 1)" : ""
      var writer = TestWriter(trace)
      let lines = writer.body(screen: screen)
      let effect = lines.contains { $0.hasPrefix("try ") } ? "throws " : ""
      return """
        @Test func `\(plain(trace.name)) repeats its trace\(number)`() \(effect){
        \(lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n"))
        }
        """
    }
    let error = """
      private struct TracedError: LocalizedError, RetryAfterError {
        let message: String
        var retryAfter: Duration?
        var errorDescription: String? { message }
      }
      """
    let decoded = """
      private func decoded<Value: Decodable>(_ json: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
      }
      """
    let helpers = [("decoded(", decoded), ("TracedError(", error)].filter { name, _ in
      screens.contains { $0.steps.contains { $0.code?.hasPrefix(name) == true } }
    }.map(\.1)
    let head = imports.sorted().map { "import \(plain($0))" }.joined(separator: "\n")
    return ([head] + tests + helpers).joined(separator: "\n\n") + "\n"
  }
}

/// Writes the lines of a test that repeats the trace of a screen.
private struct TestWriter {
  /// The calls of work whose names begin alike and whose values have one type: a ``PendingResponses`` or
  /// ``PendingStreams``.
  private struct Source {
    let name: String
    /// The beginning of the names of the work.
    let work: String
    let type: String?
    let isStream: Bool
    /// The runs that have not been replied to, in the order of their calls.
    var waiting: [UInt64] = []
  }

  private let trace: Trace.Screen
  private var sources: [Source] = []
  /// The source of each run.
  private var indices: [UInt64: Int] = [:]
  private var lines: [String] = []
  /// The time in whole milliseconds, and the time up to which the clock was advanced.
  private var (now, advanced) = (0, 0)
  /// The times at which waiting work is due.
  private var due: [String: Int] = [:]

  init(_ trace: Trace.Screen) {
    self.trace = trace
    let values = trace.steps.filter { $0.kind == .value }
    let ends = Set(
      trace.steps.indices.filter { index in
        index > 0 && trace.steps[index].kind == .finish
          && trace.steps[index].run == trace.steps[index - 1].run
      }.map { $0 - 1 })
    let elements = trace.steps.indices.filter {
      trace.steps[$0].kind == .value && !ends.contains($0)
    }
    let streams = Set(elements.compactMap { trace.steps[$0].run })
    for step in trace.steps where step.kind == .start {
      guard let run = step.run, let work = step.work else { continue }
      let name = Self.name(of: work)
      let known = values.filter { $0.code != "nil" }
      let value =
        known.first { $0.run == run }
        ?? known.first { $0.work.map { Self.name(of: $0) } == name }
      let isStream = streams.contains(run) || streams.contains(value?.run ?? 0)
      if let index = sources.firstIndex(where: { $0.work == name && $0.type == value?.type }) {
        indices[run] = index
      } else {
        let count = sources.count { $0.work == name }
        indices[run] = sources.count
        sources.append(
          Source(
            name:
              "\(name)\(isStream ? "Streams" : "Responses")\(count > 0 ? "\(count + 1)" : "")",
            work: name, type: value?.type, isStream: isStream))
      }
    }
  }

  /// Returns the variable for work: `rowsLike` for `rows[7].like 3`.
  private static func name(of work: String) -> String {
    let words = work.replacing(/\[.*?\]/, with: "").prefix { $0 != " " }
      .split { !$0.isLetter && $0 != "_" }
    let name = words.enumerated().map { $0 > 0 ? $1.prefix(1).uppercased() + $1.dropFirst() : $1 }
    return name.isEmpty ? "work" : name.joined()
  }

  mutating func body(screen: String?) -> [String] {
    for source in sources { lines.append(declaration(of: source)) }
    let hint = "\(trace.name)(…), whose work calls next(for: ()) of the responses above"
    add("let probe = ScreenProbe(\(screen ?? "<#\(hint)#>"))")
    let start = trace.steps.first.map { Self.milliseconds($0.time) } ?? 0
    if trace.steps.first?.kind != .event { lines.append("probe.begin()") }
    for (index, step) in trace.steps.enumerated() {
      let time = Self.milliseconds(step.time) - start
      let next = trace.steps.dropFirst(index + 1).first
      let isResult = next?.kind == .finish && next?.run == step.run
      write(step, at: time, isResult: isResult)
    }
    if trace.isCut { lines.append(#"#error("fill in: the recorder's limit was reached")"#) }
    endSuperseded()
    return lines + expectation
  }

  private mutating func write(_ step: Trace.Step, at time: Int, isResult: Bool) {
    switch step.kind {
    case .event:
      arrive(at: time)
      add("probe.send(\(step.code ?? ""))")
    case .suspend, .resume:
      arrive(at: time)
      add("probe.\(step.kind.rawValue)()")
    case .wait:
      if let work = step.work, let delay = step.code.flatMap({ Double($0) }) {
        due[work] = max(now, time) + Self.milliseconds(delay)
      }
    case .start:
      now = max(now, step.work.flatMap { due.removeValue(forKey: $0) } ?? time)
      guard let run = step.run, let index = indices[run] else { return }
      sources[index].waiting.append(run)
    case .cancel, .finish: if step.run == 0, let work = step.work { due[work] = nil }
    case .state: now = max(now, time)
    case .value, .failure:
      arrive(at: time)
      guard let run = step.run, let index = indices[run] else { return }
      reply(step, to: run, of: index, isResult: isResult)
    }
  }

  private mutating func reply(_ step: Trace.Step, to run: UInt64, of index: Int, isResult: Bool) {
    let source = sources[index]
    guard let position = source.waiting.firstIndex(of: run) else { return }
    let target = position > 0 ? ", to: \(position)" : ""
    let code = step.code ?? ""
    if source.isStream {
      let last = step.kind == .failure ? "finish(throwing: \(code)" : "finish("
      let call = isResult ? last : "yield(\(code)"
      add("\(source.name).\(call)\(target))".replacing("(, ", with: "("))
    } else {
      let result = step.kind == .value ? ".success(\(code))" : ".failure(\(code))"
      add("\(source.name).reply(\(result)\(target))")
    }
    lines.append("probe.settle()")
    if isResult { sources[index].waiting.remove(at: position) }
  }

  /// Ends the calls whose work was replaced or cancelled, as late as a slow server does.
  private mutating func endSuperseded() {
    let cancelled = Set(trace.steps.filter { $0.kind == .cancel }.compactMap(\.run))
    for source in sources where !source.isStream {
      var waiting = source.waiting
      while let position = waiting.firstIndex(where: { cancelled.contains($0) }) {
        add(
          "\(source.name).reply(.failure(CancellationError())\(position > 0 ? ", to: \(position)" : ""))"
        )
        waiting.remove(at: position)
      }
    }
    if lines.last?.contains("CancellationError") == true { lines.append("probe.settle()") }
  }

  private func declaration(of source: Source) -> String {
    let type = source.isStream ? "PendingStreams<" : "PendingResponses<Void, "
    let code = "let \(source.name) = \(type)\(source.type ?? "…")>()"
    return source.type == nil ? Self.error(code) : code
  }

  private var expectation: [String] {
    if trace.state.isEmpty { return [] }
    let text = trace.state.joined(separator: "\n")
    var marks = "#"
    while text.contains("\"\"\"\(marks)") { marks += "#" }
    return ["#expect(", "  probe.stateText == \(marks)\"\"\""]
      + trace.state.map { $0.isEmpty ? "" : "    \($0)" } + ["    \"\"\"\(marks))"]
  }

  private mutating func add(_ code: String) {
    if code.contains("<#") { return lines.append(Self.error(code)) }
    lines.append((code.contains("decoded(") ? "try " : "") + code)
  }

  private static func error(_ code: String) -> String {
    let text = code.replacing("<#", with: "").replacing("#>", with: "")
    return "#error(\("fill in: \(text)".debugDescription))"
  }

  // MARK: Time

  /// Advances the clock to the time of something from outside, but not to that of work that was still waiting.
  private mutating func arrive(at time: Int) {
    let latest = due.values.min().map { $0 - 1 } ?? time
    now = max(now, min(time, latest))
    if now > advanced { lines.append("probe.advance(by: .milliseconds(\(now - advanced)))") }
    advanced = now
  }

  /// Rounds up, so that a delay that has passed has passed in the test, too.
  private static func milliseconds(_ time: Double) -> Int {
    Int(exactly: min(max((time - 0.000_001).rounded(.up), 0), 1e12)) ?? 0
  }
}
