import Foundation
import Testing

@testable import Curlew

/// The rules of WHATWG HTML sections 9.2.5 and 9.2.6, sentence by sentence.
@Suite(.timeLimit(.minutes(1)))
struct ServerSentEventParserTests {
  struct Rule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stream: [UInt8]
    let events: [ServerSentEvent]

    init(_ sentence: String, _ stream: String, _ events: [ServerSentEvent]) {
      self.init(sentence, bytes: Array(stream.utf8), events)
    }

    init(_ sentence: String, bytes: [UInt8], _ events: [ServerSentEvent]) {
      (testDescription, stream, self.events) = (sentence, bytes, events)
    }
  }

  private static func event(
    _ data: String, type: String = "message", id: String = ""
  ) -> ServerSentEvent {
    ServerSentEvent(type: type, data: data, id: id)
  }

  static let decoding: [Rule] = [
    Rule("streams are decoded as UTF-8", "data: ä€😀\n\n", [event("ä€😀")]),
    Rule(
      "invalid UTF-8 is replaced", bytes: Array("data:a".utf8) + [0xFF, 0xC3] + Array("\n\n".utf8),
      [event("a\u{FFFD}\u{FFFD}")]),
    Rule("one leading BOM is ignored", "\u{FEFF}data:a\n\n", [event("a")]),
    Rule(
      "a second leading BOM is not ignored", "\u{FEFF}\u{FEFF}data:a\n\ndata:b\n\n", [event("b")]),
    Rule("a BOM later is not ignored", "data:a\n\n\u{FEFF}data:b\n\n", [event("a")]),
    Rule("a BOM in a value stays", "data:\u{FEFF}a\n\n", [event("\u{FEFF}a")]),
    Rule("lines are separated by LF", "data:a\ndata:b\n\n", [event("a\nb")]),
    Rule("lines are separated by CR", "data:a\rdata:b\r\r", [event("a\nb")]),
    Rule("lines are separated by CRLF", "data:a\r\ndata:b\r\n\r\n", [event("a\nb")]),
    Rule("line ends may be mixed", "data:a\rdata:b\r\n\n", [event("a\nb")]),
    Rule("LF CR is two line ends", "data:a\n\rdata:b\n\n", [event("a"), event("b")]),
    Rule(
      "no other character ends a line", "data:a\u{85}\u{2028}\u{B}\u{C}b\n\n",
      [event("a\u{85}\u{2028}\u{B}\u{C}b")]),
    Rule("the empty stream has no events", "", []),
    Rule("pending data at the end of the file is discarded", "data:a\n", []),
    Rule("an unfinished blank line is none", "data:a\n\ndata:b", [event("a")]),
  ]

  static let lines: [Rule] = [
    Rule("an empty line dispatches the event", "data:a\n\ndata:b\n\n", [event("a"), event("b")]),
    Rule("more empty lines dispatch nothing", "\n\ndata:a\n\n\n\n", [event("a")]),
    Rule(
      "a line that begins with a colon is ignored", ": data\n:data:b\n::\n:\ndata:a\n\n",
      [event("a")]),
    Rule("a comment does not separate data", "data:a\n:\ndata:b\n\n", [event("a\nb")]),
    Rule("the name is what precedes the first colon", "data:a:b: c\n\n", [event("a:b: c")]),
    Rule("one space after the colon is removed", "data: a\n\n", [event("a")]),
    Rule("only one space is removed", "data:  a \n\n", [event(" a ")]),
    Rule(
      "no other white space is removed", "data:\ta\n\ndata:\u{A0}b\n\n",
      [event("\ta"), event("\u{A0}b")]),
    Rule("a space before the colon belongs to the name", "data : a\n\n", []),
    Rule("a space before the name belongs to it", " data:a\n\n", []),
    Rule("a line without a colon is a name with an empty value", "data\n\n", [event("")]),
    Rule("a line of a space is a field, not empty", "data:a\n \ndata:b\n\n", [event("a\nb")]),
  ]

  static let fields: [Rule] = [
    Rule("names are compared as they are", "DATA:a\nData:b\nEVENT:c\ndata:d\n\n", [event("d")]),
    Rule("event sets the type", "event:add\ndata:a\n\n", [event("a", type: "add")]),
    Rule(
      "the last event field counts", "event:add\nevent:del\ndata:a\n\n", [event("a", type: "del")]),
    Rule("an empty type is message", "event:add\nevent\ndata:a\n\n", [event("a")]),
    Rule(
      "the type is reset after an event", "event:add\ndata:a\n\ndata:b\n\n",
      [event("a", type: "add"), event("b")]),
    Rule("event may follow data", "data:a\nevent:add\n\n", [event("a", type: "add")]),
    Rule("data is joined with LF, without the last", "data:a\ndata\ndata:b\n\n", [event("a\n\nb")]),
    Rule("two empty data fields are one LF", "data\ndata\n\n", [event("\n")]),
    Rule("a last LF of the data stays", "data:a\ndata:\n\n", [event("a\n")]),
    Rule(
      "id sets the last event ID, for later events too",
      "id:1\ndata:a\n\ndata:b\n\nid:2\ndata:c\n\n",
      [event("a", id: "1"), event("b", id: "1"), event("c", id: "2")]),
    Rule("id may follow data", "data:a\nid: 1\n\n", [event("a", id: "1")]),
    Rule(
      "an empty id resets it", "id:1\ndata:a\n\nid\ndata:b\n\n", [event("a", id: "1"), event("b")]),
    Rule(
      "an id with NULL is ignored", "id:1\nid:2\u{0}\nid:\u{0}\ndata:a\n\n", [event("a", id: "1")]),
    Rule("NULL in data stays", "data:a\u{0}b\n\n", [event("a\u{0}b")]),
    Rule("unknown fields are ignored", "foo:1\ndatas:b\ndat:c\nids:7\ndata:a\n\n", [event("a")]),
    Rule("retry is no data", "retry:1\n\n", []),
  ]

  static let dispatch: [Rule] = [
    Rule("without data nothing is dispatched", "event:add\nid:1\n\n", []),
    Rule("without data the type is reset", "event:add\n\ndata:a\n\n", [event("a")]),
    Rule("without data the id is kept", "id:1\n\ndata:a\n\n", [event("a", id: "1")]),
    Rule("data is reset after an event", "data:a\n\ndata:b\n\n", [event("a"), event("b")]),
    Rule(
      "the first example of 9.2.6", "data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
    Rule(
      "the second example of 9.2.6",
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event",
      [event("first event", id: "1"), event("second event")]),
    Rule("the third example of 9.2.6", "data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
    Rule(
      "the fourth example of 9.2.6", "data:test\n\ndata: test\n\n", [event("test"), event("test")]),
  ]

  @Test(arguments: [decoding, lines, fields, dispatch].flatMap { $0 })
  func `the stream is read as the standard says`(rule: Rule) throws {
    for size in [1, 2, 3, 5, 1_000] {
      var parser = ServerSentEventParser(limit: 1_000)
      #expect(try parser.events(in: Data(rule.stream).cut(every: size)) == rule.events)
    }
  }

  @Test(arguments: [
    ("retry:1500\n", Duration.milliseconds(1_500)), ("retry: 0\n", .zero),
    ("retry:007\n", .milliseconds(7)), ("retry:1\nretry:2\n", .milliseconds(2)),
    ("retry\n", nil), ("retry:\n", nil), ("retry:-1\n", nil), ("retry:+1\n", nil),
    ("retry:1.5\n", nil), ("retry:1s\n", nil), ("retry:  1\n", nil), ("retry:1 \n", nil),
    ("retry:0x1\n", nil), ("retry:\u{0661}\n", nil), ("retry:5\nretry:x\n", .milliseconds(5)),
    ("retry:99999999999999999999\n", .milliseconds(Int64.max)), ("Retry:1\n", nil),
    ("retry:1", nil),
  ])
  func `retry must be ASCII digits`(stream: String, time: Duration?) throws {
    var parser = ServerSentEventParser(limit: 1_000)
    #expect(try parser.events(in: [Data(stream.utf8)]).isEmpty)
    #expect(parser.reconnectionTime == time)
  }

  @Test(arguments: [
    ("id:1\ndata:a\n", ""), ("id:1\ndata:a\n\n", "1"), ("id:1\n\n", "1"), ("id:1\n\nid:2\n", "1"),
    ("id:1\n\nid:\n\n", ""), ("id:1\n\n:\n\n\n", "1"),
  ])
  func `the last event ID is set by a blank line`(stream: String, id: String) throws {
    var parser = ServerSentEventParser(limit: 1_000)
    _ = try parser.events(in: [Data(stream.utf8)])
    #expect(parser.lastEventID == id)
  }

  @Test func `the ID is that of the newest event taken so far`() throws {
    var parser = ServerSentEventParser(limit: 1_000)
    parser.append(Data("id:1\ndata:a\n\nid:2\ndata:b\n\n".utf8))
    #expect(try parser.next()?.data == "a" && parser.lastEventID == "1")
    #expect(try parser.next()?.data == "b" && parser.lastEventID == "2")
  }

  @Test func `a resumed stream keeps its ID`() throws {
    var parser = ServerSentEventParser(lastEventID: "7", limit: 1_000)
    #expect(try parser.events(in: [Data("data:a\n\n".utf8)]) == [Self.event("a", id: "7")])
    #expect(parser.lastEventID == "7")
  }

  @Test(arguments: [
    ("data:12345\ndata:1234\n\n", true), ("data:12345\ndata:12345\n\n", false),
    ("event:1234\ndata:12\ndata:345\n\n", true), ("event:1234\ndata:12\ndata:3456\n", false),
    (":123456789\n", true), (":1234567890\n", false), ("x:12345678901", false),
    ("data:12345\n\ndata:12345\n\n", true),
  ])
  func `an event over the limit is an error`(stream: String, fits: Bool) throws {
    for size in [1, 3, 100] {
      var parser = ServerSentEventParser(limit: 10)
      let chunks = Data(stream.utf8).cut(every: size)
      if fits {
        _ = try parser.events(in: chunks)
      } else {
        #expect(throws: ServerSentEventParser.TooLong.self) { try parser.events(in: chunks) }
      }
    }
  }
}

extension ServerSentEventParser {
  /// Returns the events of successive chunks.
  mutating func events(in chunks: [Data]) throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for chunk in chunks {
      append(chunk)
      while let event = try next() { events.append(event) }
    }
    return events
  }
}
