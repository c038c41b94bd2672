/// What a repository is about: the words of its issues.
struct Theme: Sendable {
  /// Parts of the program, as they stand after “the”.
  let parts: [String]
  /// Wishes, as they stand before “in the ...”.
  let wishes: [String]
  let labels: [Label]
  /// The language of the code blocks.
  let language: String
  /// Lines of code, out of which the bodies' examples are put together.
  let code: [String]
}

extension Theme {
  static let compiler = Theme(
    parts: [
      "type checker", "parser", "optimizer", "module loader", "debugger", "formatter",
      "macro system",
      "standard library", "string index", "array slice", "package manager", "documentation tool",
      "exclusivity check", "diagnostics engine", "incremental build", "linker step",
      "regular expression builder", "key path resolver", "async stack trace", "switch lowering",
    ],
    wishes: [
      "Offer a fix-it", "Warn about unused results", "Support labels with spaces",
      "Show the inferred type", "Allow trailing commas", "Print the whole path of a member",
      "Accept nested functions", "Keep comments",
    ],
    labels: [
      Label(name: "area: types", color: "1d76db", description: nil),
      Label(name: "area: parser", color: "c5def5", description: "Text to tree"),
      Label(name: "performance", color: "0e8a16", description: "Correct, but slow"),
      Label(name: "concurrency", color: "bfd4f2", description: nil),
    ],
    language: "swift",
    code: [
      "struct Box<Value> { var value: Value }", "let boxes = (1...3).map(Box.init)",
      "func total(_ boxes: [Box<Int>]) -> Int { boxes.reduce(0) { $0 + $1.value } }",
      "let text = boxes.isEmpty ? \"none\" : \"\\(total(boxes))\"", "print(text)",
      "switch boxes.first?.value { case .some(let value) where value > 2: break; default: break }",
    ])

  static let networking = Theme(
    parts: [
      "connection pool", "retry policy", "redirect handler", "upload progress", "cookie jar",
      "request builder", "certificate check", "response cache", "multipart encoder",
      "back-off timer",
      "event loop", "header parser", "stub provider", "recorder", "plugin chain", "timeout",
      "host name resolver", "byte buffer", "query encoder", "download to a file",
    ],
    wishes: [
      "Add a hook before sending", "Report the remaining time", "Support resuming",
      "Log a request as a curl command", "Accept custom methods", "Expose the raw headers",
      "Let the caller choose the queue", "Share one transfer between equal requests",
    ],
    labels: [
      Label(name: "http", color: "006b75", description: nil),
      Label(name: "tls", color: "d4c5f9", description: "Certificates and such"),
      Label(name: "performance", color: "0e8a16", description: "Correct, but slow"),
    ],
    language: "swift",
    code: [
      "var request = Request(url: \"https://example.org/a b\")", "request.timeout = .seconds(3)",
      "request.headers[\"Accept\"] = \"application/json\"",
      "let answer = try await client.send(request)", "guard answer.status == 200 else { return }",
      "for try await chunk in answer.body { received += chunk.count }",
    ])

  static let printing = Theme(
    parts: [
      "print queue", "page filter", "scheduler", "duplex setting", "paper tray", "test page",
      "administration page", "driver list", "job history", "colour profile",
    ],
    wishes: [
      "Show the toner level", "Hold jobs until noon", "Print the page count", "Support A3 booklets",
    ],
    labels: [
      Label(name: "driver", color: "e99695", description: nil),
      Label(name: "ipp", color: "0052cc", description: "The protocol"),
    ],
    language: "sh",
    code: [
      "lpstat -p corner-office", "lp -d corner-office -o sides=two-sided letter.pdf",
      "cancel -a corner-office", "tail -n 20 error_log",
    ])

  static let streams = Theme(
    parts: [
      "debounce operator", "share operator", "scheduler", "subject", "dispose bag", "replay buffer",
      "merge operator", "test scheduler", "binding", "retry operator", "throttle operator",
    ],
    wishes: [
      "Deliver the newest value", "Add a variant with a predicate", "Name the operator",
      "Count subscribers",
    ],
    labels: [
      Label(name: "operators", color: "b7178c", description: "A part of the chain"),
      Label(name: "threads", color: "c2e0c6", description: nil),
    ],
    language: "swift",
    code: [
      "let terms = field.values.debounce(for: .seconds(0.5))",
      "let results = terms.latest { term in search(term) }",
      "results.observe { list in show(list) }", "field.send(\"swif\")", "field.send(\"swift\")",
      "clock.advance(by: .seconds(1))",
    ])
}
