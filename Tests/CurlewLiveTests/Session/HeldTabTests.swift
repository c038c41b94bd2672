import AsyncHTTPClient
import CurlewLive
import CurlewTesting
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// A tab whose stream a proxy buffers gets the states as responses to its own requests.
@Suite(.timeLimit(.minutes(1)))
struct HeldTabTests {
  @Test func `its actions bring what has changed`() async throws {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.draw()
      let first = try await visitor.ask("write", "tern", number: 1, shown: 0, in: session)
      #expect(first.status == 200)
      #expect(first.update?.acknowledged == 1)
      #expect(first.update?.html?.contains("tern") == true)
      #expect(first.update?.url == "/notes?q=tern")
      let version = try #require(first.update?.version)
      #expect(first.update?.isNew == nil)
      // Resent as if the response had been lost: the server applies the action once.
      let again = try await visitor.ask("write", "other", number: 1, shown: version, in: session)
      #expect(again.update?.acknowledged == 1)
      #expect(again.update?.version == nil)
    }
  }

  @Test func `its question is answered when the load is done`() async throws {
    let (begun, done) = (Gate(), Gate())
    let screen = Notes { text in
      begun.open()
      await done.wait()
      return "about \(text)"
    }
    try await withServer(try NotesPage(screen)) { visitor in
      let session = try await visitor.draw()
      _ = try await visitor.ask("write", "tern", number: 1, shown: 0, in: session)
      let looked = try await visitor.ask("look", number: 2, shown: 0, in: session)
      #expect(looked.update?.isWorking == true)
      // The screen works though no stream is open.
      await begun.wait()
      let version = try #require(looked.update?.version)
      async let answer = visitor.ask("live:wait", number: 2, shown: version, in: session)
      done.open()
      let update = try await answer.update
      #expect(update?.isWorking == nil)
      #expect(update?.version ?? 0 > version)
    }
  }

  /// A tab aborts its poll when the user acts, but the server may respond to the poll first.
  @Test func `aborted polls leave the view that the tab shows`() async throws {
    let (begun, done) = (Gate(), Gate())
    let screen = Notes { text in
      begun.open()
      await done.wait()
      return "about \(text)"
    }
    try await withServer(try NotesPage(screen)) { visitor in
      let session = try await visitor.draw()
      let looked = try await visitor.ask("look", number: 1, shown: 0, in: session)
      await begun.wait()
      let shown = try #require(looked.update?.version)
      async let aborted = visitor.ask("live:wait", number: 1, shown: shown, in: session)
      done.open()
      #expect(try await aborted.update?.version ?? 0 > shown)
      var version = shown
      for number in 2...3 {
        let update = try await visitor.ask(
          "write", "tern \(number)", number: number, shown: version, in: session
        ).update
        #expect(update?.html == nil && update?.parts != nil)
        version = try #require(update?.version)
        // It arrives after the action that aborted it.
        _ = try await visitor.ask("live:wait", number: 1, shown: 1, in: session)
      }
      let last = try await visitor.ask("write", "end", number: 4, shown: version, in: session)
      #expect(last.update?.html == nil && last.update?.parts != nil)
    }
  }

  @Test func `a stream that is opened again takes over`() async throws {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.draw()
      let held = try await visitor.listen(session: session)
      _ = try await held.hello()
      let first = try await visitor.ask("write", "tern", number: 1, shown: 0, in: session)
      let version = try #require(first.update?.version)
      let stream = try await visitor.listen(
        session: session, version: "\(version)", fields: [("Live-Stream", "2")])
      _ = try await stream.hello()
      try await visitor.act("write", "curlew", in: session, number: 2)
      var events = ""
      while !events.contains("curlew"), let event = try await stream.next() { events += event.data }
      #expect(events.contains("curlew") && !events.contains("<p"), "\(events)")
    }
  }

  /// The server has written a state to the stream, but a proxy holds it back.
  @Test func `a stream that is opened again and held back leaves the view that the tab shows`()
    async throws
  {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.draw()
      let first = try await visitor.ask("write", "tern", number: 1, shown: 0, in: session)
      let version = try #require(first.update?.version)
      let held = try await visitor.listen(
        session: session, version: "\(version)", fields: [("Live-Stream", "2")])
      _ = try await held.hello()
      for (number, text) in [(2, "curlew"), (3, "gull")] {
        try await visitor.act("write", text, in: session, number: number)
        var events = ""
        while !events.contains(text), let event = try await held.next() { events += event.data }
      }
      let next = try await visitor.ask("write", "end", number: 4, shown: version, in: session)
      #expect(next.update?.html == nil && next.update?.parts != nil)
    }
  }

  /// A buffered stream sends no states; the next stream does, even when requests for the first stream still arrive.
  @Test func `only the stream that is not heard is silent`() async throws {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.draw()
      let (stream, _) = try await visitor.connect(session: session, fields: [("Live-Stream", "2")])
      // For the stream with the number 0.
      _ = try await visitor.ask("write", "tern", number: 1, shown: 0, in: session)
      #expect(try await stream.state { $0.acknowledged == 1 }.html.contains("tern"))
    }
  }

  /// A proxy may buffer the hello of a new session under an existing name, too.
  @Test func `a session with the name of another says so`() async throws {
    try await withServer(NotesPage()) { visitor in
      let name = String(repeating: "0a", count: 16)
      let stream = try await visitor.listen(session: name)
      _ = try await stream.hello()
      let first = try await visitor.ask("write", "tern", number: 1, shown: 1, in: name)
      #expect(first.update?.isNew == true)
      #expect(first.update?.html?.contains("tern") == true)
      // The next stream announces the new session to a tab that shows an old version, and not to a tab with the newest
      // version.
      let version = try #require(first.update?.version)
      for (shown, isNew) in [(1, true), (version, false)] {
        let next = try await visitor.listen(
          session: name, version: "\(shown)", fields: [("Live-Stream", "2")])
        #expect(try await next.next()?.data == (isNew ? "\(name) new" : name))
      }
    }
  }

  @Test func `a question without a version is refused`() async throws {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.draw()
      #expect(try await visitor.act("live:wait", in: session) == 400)
    }
  }
}
