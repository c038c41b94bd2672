import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

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
          // Stopping the sandbox ends the wait and the stream.
          let slept: Void? = try? await cancelWhenGracefulShutdown {
            try await request.options.clock.sleep(for: min(wait, .seconds(2)), tolerance: nil)
          }
          guard slept != nil else { return try await writer.finish(nil) }
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

  /// Returns the newest hundred issues opened since the repository was first watched, newest first.
  func newestOpened(in repository: Repository) -> [Issue] {
    let count = opened.count(in: repository)
    return (0..<min(count, 100)).map { openedIssue(count - $0, in: repository) }
  }

  private func openedIssue(_ index: Int, in repository: Repository) -> Issue {
    let age = opened.time(of: index, in: repository) / .seconds(1)
    return IssueGenerator.opened(index, in: repository, at: now.addingTimeInterval(age))
  }
}
