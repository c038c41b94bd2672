import TestSupport

#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation

  /// Two processes of `live-process` behind an nginx that routes by session names.
  final class Cluster {
    private static let secret = "a secret of these tests, 32 bytes long"

    let origin: String
    private var servers: [(process: ChildProcess, port: String)]
    private let proxy: NginxProcess

    init() async throws {
      proxy = try NginxProcess()
      servers = [try await Self.server(), try await Self.server()]
      let port = freePort()
      origin = "http://127.0.0.1:\(port)"
      try proxy.start(configuration(port: port))
    }

    private static func server() async throws -> (process: ChildProcess, port: String) {
      try await ChildProcess.start(
        ChildProcess.built("live-process"), [secret], readyWhen: #"^(\d+)\n"#)
    }

    /// Returns the nginx configuration of CurlewLive.md, for loopback.
    private func configuration(port: Int) -> String {
      """
      map $http_live_session $live_session {
        "" $request_id;
        default $http_live_session;
      }
      upstream pages {
        hash $live_session consistent;
        server 127.0.0.1:\(servers[0].port);
        server 127.0.0.1:\(servers[1].port);
      }
      server {
        listen 127.0.0.1:\(port);
        location / {
          proxy_pass http://pages;
          proxy_http_version 1.1;
          proxy_buffering off;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header Live-Session $live_session;
          proxy_set_header X-Forwarded-For $remote_addr;
        }
      }
      """
    }

    /// Kills a server with `SIGKILL`.
    func kill(_ index: Int) async { await servers.remove(at: index).process.stop() }

    func stop() async {
      for server in servers { await server.process.stop() }
      await proxy.stop()
    }
  }
#endif
