import Documents
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

// Prints its port, then serves requests until its standard input closes: a repository in JSON with all of GitHub's
// members (5 KB) for `/repos/…`, zeros for `/bytes/COUNT`, a page of 100 issues for `/issues`, and a short repository
// (1 KB) for other paths. Requests with `If-None-Match` get a 304.

let short = """
  {"id": 44838949, "name": "swift", "full_name": "apple/swift", "private": false,
   "owner": {"login": "apple", "id": 10639145, "type": "Organization", "site_admin": false},
   "html_url": "http://127.0.0.1/apple/swift", "description": "A language to build with.",
   "fork": false, "created_at": "2015-10-23T21:15:07Z", "updated_at": "2026-11-20T08:30:00Z",
   "homepage": "", "size": 1000000, "stargazers_count": 67000, "watchers_count": 67000,
   "language": "C++", "has_issues": true, "forks_count": 10300, "archived": false,
   "open_issues_count": 7500, "topics": ["language", "compiler", "swift"], "visibility": "public",
   "default_branch": "main", "license": {"key": "apache-2.0", "name": "Apache License 2.0"}}
  """

/// The URLs that GitHub includes for each repository and owner.
let urls = [
  "archive", "assignees", "blobs", "branches", "clone", "collaborators", "comments", "commits",
  "compare", "contents", "contributors", "deployments", "downloads", "events", "forks", "git",
  "git_commits", "git_refs", "git_tags", "hooks", "issue_comment", "issue_events", "issues", "keys",
  "labels", "languages", "merges", "milestones", "mirror", "notifications", "pulls", "releases",
  "ssh", "stargazers", "statuses", "subscribers", "subscription", "svn", "tags", "teams", "trees",
  "avatar", "followers", "following", "gists", "organizations", "received_events", "starred",
].map { "\"\($0)_url\": \"https://api.example.com/repos/apple/swift/\($0)/{/number}\"" }

let long = String(short.dropLast(1)) + ", " + urls.joined(separator: ", ") + "}"

// @unchecked because a channel's handler runs only on that channel's event loop.
final class RepositoryHandler: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let bodies = (short: ByteBuffer(string: short), long: ByteBuffer(string: long))
  private var body = ByteBuffer()
  private var zeros: Int?
  private var isKnown = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      body =
        head.uri == "/issues"
        ? Self.issues : head.uri.hasPrefix("/repos/") ? bodies.long : bodies.short
      isKnown = head.headers.contains(name: "If-None-Match")
      zeros = head.uri.hasPrefix("/bytes/") ? Int(head.uri.dropFirst(7)) : nil
    case .body: break
    case .end: if let zeros { stream(zeros, context) } else { respond(context) }
    }
  }

  private func stream(_ count: Int, _ context: ChannelHandlerContext) {
    let head = HTTPResponseHead(
      version: .http1_1, status: .ok, headers: ["Content-Length": "\(count)", "ETag": "\"0\""])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    sendZeros(count, context)
  }

  /// Sends the next piece after the previous piece was written.
  private func sendZeros(_ rest: Int, _ context: ChannelHandlerContext) {
    guard rest > 0 else {
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      return
    }
    let size = min(rest, Self.piece.readableBytes)
    let part = HTTPServerResponsePart.body(.byteBuffer(Self.piece.getSlice(at: 0, length: size)!))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(part)).whenSuccess {
      bound.value.0.sendZeros(rest - size, bound.value.1)
    }
  }

  private static let issues = ByteBuffer(string: IssuePage.text)
  private static let piece = ByteBuffer(repeating: 0, count: 256 << 10)

  private func respond(_ context: ChannelHandlerContext) {
    let fields: HTTPHeaders = [
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": "\(body.readableBytes)",
      "ETag": "W/\"f00d\"", "Cache-Control": "private, max-age=3600",
      "X-RateLimit-Remaining": "4999",
    ]
    let head = HTTPResponseHead(
      version: .http1_1, status: isKnown ? .notModified : .ok, headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isKnown { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}

let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
  .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
  .serverChannelOption(.backlog, value: 256)
  .childChannelInitializer { channel in
    channel.pipeline.configureHTTPServerPipeline().flatMap {
      channel.pipeline.addHandler(RepositoryHandler())
    }
  }
  .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
  .bind(host: "127.0.0.1", port: 0).get()
print(server.localAddress?.port ?? 0)
fflush(nil)
// Standard input closes when the parent process ends for any reason.
while readLine() != nil {}
