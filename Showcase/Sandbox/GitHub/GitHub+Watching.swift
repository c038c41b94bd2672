import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

extension GitHub {
  /// Sends each newly opened issue of a repository as a server-sent event (WHATWG HTML, 9.2).
  ///
  /// Only the sandbox has this endpoint, not GitHub. The stream resumes after `Last-Event-ID`, even
  /// after a restart of the sandbox, and ends when the sandbox stops.
  func openedIssues(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request)
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    let first = opened.watch(repository, after: last.flatMap { Int($0) })
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
      for index in first... {
        // A comment every two seconds allows clients to detect a lost connection.
        while case let wait = self.opened.wait(for: index, in: repository), wait > .zero {
          guard await self.sleep(for: min(wait, .seconds(2)), request) else {
            return try await writer.finish(nil)
          }
          if wait > .seconds(2) { try await writer.write(ByteBuffer(string: ": waiting\n\n")) }
        }
        let json = self.openedIssue(index, in: repository).json(of: repository, home: request.home)
        let data = String(buffer: json.encoded)
        try await writer.write(
          ByteBuffer(string: "event: opened\nid: \(index)\ndata: \(data)\n\n"))
      }
    }
    let fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    return Response(status: .ok, headers: fields, body: body)
  }

  /// Sends each newly opened issue of all repositories as a line of JSON Lines, at most every two
  /// seconds; begins with the newest issues.
  ///
  /// Only the sandbox has this endpoint, not GitHub. It watches three repositories.
  func allOpenedIssues(_ request: SiteRequest) -> Response {
    for repository in Repository.listed.prefix(3) { _ = opened.watch(repository, after: 6) }
    let body = ResponseBody { writer in
      var sent: Set<String> = []
      repeat {
        let lines = self.newestOpened().map { issue, repository in
          String(buffer: issue.json(of: repository, home: request.home).encoded) + "\n"
        }
        // A blank line allows clients to detect a lost connection.
        let new = lines.filter { !sent.contains($0) }.joined()
        try await writer.write(ByteBuffer(string: new.isEmpty ? "\n" : new))
        sent = Set(lines)
      } while await self.sleep(for: .seconds(2), request)
      try await writer.finish(nil)
    }
    let fields: HTTPFields = [.contentType: "application/jsonl", .cacheControl: "no-store"]
    return Response(status: .ok, headers: fields, body: body)
  }

  /// Returns whether the sandbox is still running after a delay: stopping it ends the delay.
  private func sleep(for delay: Duration, _ request: SiteRequest) async -> Bool {
    let slept: Void? = try? await cancelWhenGracefulShutdown {
      try await request.options.clock.sleep(for: delay, tolerance: nil)
    }
    return slept != nil
  }

  /// Returns the newest issues opened in all repositories since the start of the sandbox, oldest
  /// first.
  private func newestOpened() -> [(Issue, Repository)] {
    let most = 20
    let issues = Repository.all.flatMap { repository in
      (written.withLock { $0[repository].prefix(most) } + newestOpened(in: repository, most))
        .map { ($0, repository) }
    }
    return issues.sorted { ($0.0.created, $0.0.number) < ($1.0.created, $1.0.number) }.suffix(most)
  }

  /// Returns the newest issues opened since the repository was first watched, newest first.
  func newestOpened(in repository: Repository, _ most: Int = 100) -> [Issue] {
    let count = opened.count(in: repository)
    return (0..<min(count, most)).map { openedIssue(count - $0, in: repository) }
  }

  private func openedIssue(_ index: Int, in repository: Repository) -> Issue {
    let age = opened.time(of: index, in: repository) / .seconds(1)
    return Issue.opened(index, in: repository, at: now.addingTimeInterval(age))
  }
}
