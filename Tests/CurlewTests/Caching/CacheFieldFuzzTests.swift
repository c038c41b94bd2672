import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Malformed fields: for any value, the policy decides, and no response becomes fresher.
@Suite(.timeLimit(.minutes(5)))
struct CacheFieldFuzzTests {
  private let policy = CachePolicy()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let request = CachePolicy.Request(
    head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))
  private let words = [
    "max-age", "=", "=60", "=\"", "\"", ",", ", ", " ", "\\", "no-store", "no-cache", "public",
    "private", "foo", "3600", "-1", "W/", "'", "\t", ";", "*", "must-understand", "Ä",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      words.randomElement(using: &generator) ?? ""
    }.joined()
  }

  @Test func `no other line makes a response fresh for longer`() {
    var generator = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.runs(4_000) {
      var head = HTTPResponse(status: .ok)
      let line = text(&generator)
      head.headerFields.append(HTTPField(name: .cacheControl, value: line))
      head.headerFields.append(HTTPField(name: .cacheControl, value: "max-age=60"))
      let result = policy.storing(
        head, to: request, requestTime: now, responseTime: now, isDecoded: false)
      guard case .success(let stored) = result else { continue }
      let decision = policy.decision(for: request, among: [stored], now: now + 60)
      if case .serve = decision { Testing.Issue.record("\(line) is served") }
    }
  }

  @Test func `any fields lead to a decision`() {
    var generator = SeededGenerator(seed: Fuzz.seed())
    let names: [HTTPField.Name] = [
      .age, .cacheControl, .contentLength, .date, .eTag, .expires, .ifModifiedSince, .ifNoneMatch,
      .ifRange, .lastModified, .range, .vary, .connection,
    ]
    for _ in 0..<Fuzz.runs(4_000) {
      var (head, request) = (HTTPResponse(status: .ok), request)
      head.headerFields[.cacheControl] = "max-age=60"
      for _ in 0..<4 {
        if let name = names.randomElement(using: &generator) {
          head.headerFields.append(HTTPField(name: name, value: text(&generator)))
        }
        if let name = names.randomElement(using: &generator) {
          request.head.headerFields.append(HTTPField(name: name, value: text(&generator)))
        }
      }
      let result = policy.storing(
        head, to: request, requestTime: now, responseTime: now, isDecoded: false)
      guard case .success(var stored) = result else { continue }
      stored.bodySize = 10
      switch policy.decision(for: request, among: [stored], now: now + 1) {
      case .serve(_, let part?, _, _): #expect(part.lowerBound >= 0 && part.upperBound < 10)
      case .serve(_, nil, let status, _): #expect(status.isHit && (status.age ?? -1) >= 0)
      case .validate(_, let conditions, _): #expect(!conditions.isEmpty)
      default: break
      }
      #expect(policy.served(stored, part: nil, now: now + 1).headerFields[.age] != "")
    }
  }

  /// A storage's file may be damaged, or written by other software.
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func `stored times may be any numbers`(seconds: Double) {
    let time = Date(timeIntervalSince1970: seconds)
    let head = HTTPResponse(
      status: .ok,
      headerFields: [
        .expires: "Sunday, 06-Nov-94 08:49:37 GMT", .lastModified: "Sunday, 06-Nov-94 08:49:37 GMT",
      ])
    let stored = StoredResponse(head: head, requestTime: time, responseTime: time)
    let age = policy.age(of: stored, now: now)
    #expect(age >= 0 && age <= CacheControl.greatest)
    _ = policy.decision(for: request, among: [stored, stored], now: now)
    _ = policy.served(stored, part: nil, now: now)
    #expect(policy.timeToLive(of: stored, now: now) <= 0)
  }
}
