import CoreMetrics
import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

/// Calls of a stub's client that are logged, traced and measured.
struct Observed {
  let clock = TestClock()
  let stub: StubTransport
  let log = LogStore(.debug)
  let tracer = TestTracer()
  let metrics = TestMetrics()

  init() { stub = StubTransport(clock: clock) }

  func client(
    baseURL: BaseURL = "https://api.example.com", _ middleware: StandardMiddleware...,
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub, baseURL: baseURL) {
      $0.observers = [.logging(log.logger), .tracing(tracer), .metrics(factory: metrics)]
      $0.middleware = middleware
      configure(&$0)
    }
  }

  /// The paragraphs of `Observations.txt` by their titles.
  private static let texts: [Substring: Substring] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Observations.txt")
    let paragraphs = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n\n")
    return Dictionary(
      uniqueKeysWithValues: (paragraphs ?? []).filter { $0.hasPrefix("## ") }.map {
        let (title, text) = ($0.prefix { $0 != "\n" }, $0.drop { $0 != "\n" })
        return (title.dropFirst(3), text.drop { $0 == "\n" })
      })
  }()

  /// Expects the lines of the log, the spans and the series of the paragraph with this title, and that each request was sent
  /// with the context of its span.
  func expect(_ title: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let calls = tracer.calls.sorted { $0.number < $1.number }
    let records = calls.flatMap { call in
      log.lines.filter { $0.text("curlew.call") == "#\(call.number)" }.map(\.record)
        + [call.record(named: "call", in: calls)]
        + tracer.attempts.filter { $0.parentSpanID == call.spanID }.map {
          $0.record(named: "request", in: calls)
        }
    }
    let observed = (records + series).joined(separator: "\n").replacing(/#([0-9]+)/) { match in
      calls.firstIndex { "\($0.number)" == match.1 }.map { "call \($0 + 1)" } ?? "\(match.0)"
    }
    #expect(
      observed == Self.texts[title[...]].map { $0.trimmingCharacters(in: .newlines) },
      sourceLocation: sourceLocation)
    let sent = stub.requests.map { $0.head.headerFields[.traceparent] }
    for attempt in tracer.attempts {
      #expect(
        sent.contains("00-\(attempt.traceID)-\(attempt.spanID)-01"), sourceLocation: sourceLocation)
    }
    #expect(metrics.meters.allSatisfy { $0.lastValue == 0 }, sourceLocation: sourceLocation)
    tracer.expectAllEnded(sourceLocation: sourceLocation)
  }

  private var series: [String] {
    let recorders = metrics.recorders.filter {
      !$0.values.isEmpty && ($0.label != "http.client.request.body.size" || $0.values != [0])
    }.map {
      "\($0.label.dropFirst("http.client.".count)) \($0.values)\(attributes($0.dimensions))"
    }
    let counters = metrics.counters.map {
      "\($0.label) \($0.totalValue)\(attributes($0.dimensions))"
    }
    return recorders.sorted() + counters.sorted()
  }
}

/// Returns the attributes in the order of their names, without the usual ones of `GET /item`.
private func attributes(_ all: [(name: String, value: String)]) -> String {
  let usual = [
    "http.request.method=GET", "server.address=api.example.com", "server.port=443",
    "url.full=https://api.example.com/item",
  ]
  return all.filter { !["curlew.call", "curlew.duration"].contains($0.name) && !$0.value.isEmpty }
    .map { "\($0.name)=\($0.value)" }.filter { !usual.contains($0) }.sorted()
    .map { " \($0)" }.joined()
}

extension SpanAttributes {
  fileprivate var text: String {
    var all: [(String, String)] = []
    forEach { name, value in
      all.append((name, "\(Mirror(reflecting: value).children.first?.value ?? "")"))
    }
    return attributes(all)
  }
}

extension InMemoryLogHandler.Entry {
  fileprivate var record: String {
    "\(level) \(message)\(attributes(metadata.map { ($0.key, "\($0.value)") }))"
  }
}

extension FinishedInMemorySpan {
  /// The number of a call.
  fileprivate var number: Int {
    guard case .string(let text) = attributes.get("curlew.call") else { return 0 }
    return Int(text.dropFirst()) ?? 0
  }

  /// Returns the attributes, the events, the linked calls and the failure.
  fileprivate func record(named name: String, in calls: [Self]) -> String {
    var text = (operationName == "GET" ? name : "\(name) \(operationName)") + attributes.text
    for event in events where event.name != "resumed" {
      text += ", \(event.name)\(event.attributes.text)"
    }
    for link in links {
      let index = calls.firstIndex { $0.spanContext == link.context.inMemorySpanContext }
      text += ", linked to call \(index.map { "\($0 + 1)" } ?? "?")"
    }
    if let status { text += ", \(status.code)" + (status.message.map { ": \($0)" } ?? "") }
    for error in errors where "\(error.error)" != status?.message { text += ", \(error.error)" }
    return text
  }
}
