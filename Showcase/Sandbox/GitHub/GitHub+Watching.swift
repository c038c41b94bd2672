import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

extension GitHub {
  /// Sends each issue of a repository as it is opened, as server-sent events (WHATWG HTML, 9.2).
  ///
  /// GitHub has nothing like it: this is the sandbox's own. It goes on after `Last-Event-ID`, also when
  /// the sandbox was started anew, and ends when the sandbox stops.
  func openedIssues(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request)
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    let first = opened.watch(repository, after: last.flatMap { Int($0) })
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
      for index in first... {
        // A comment every two seconds, so that a lost connection is noticed.
        while case let wait = self.opened.wait(for: index, in: repository), wait > .zero {
          // Stopping the sandbox ends the wait, and with it the stream.
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

  /// The newest hundred issues, newest first, that were opened since somebody watches a repository.
  func newestOpened(in repository: Repository) -> [Issue] {
    let count = opened.count(in: repository)
    return (0..<min(count, 100)).map { openedIssue(count - $0, in: repository) }
  }

  private func openedIssue(_ index: Int, in repository: Repository) -> Issue {
    let age = opened.time(of: index, in: repository) / .seconds(1)
    return IssueGenerator.opened(index, in: repository, at: now.addingTimeInterval(age))
  }
}
