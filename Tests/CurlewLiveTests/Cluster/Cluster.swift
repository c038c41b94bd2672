import TestSupport

#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation

  /// Processes of `live-process` behind an nginx that routes by session names, or sends requests to each in turn.
  final class Cluster {
    private static let secret = "a secret of these tests, 32 bytes long"

    let origin: String
    private let isFleet: Bool
    private var servers: [(process: ChildProcess, port: String)] = []
    private let proxy: NginxProcess
    private let redis: RedisProcess?

    /// - Parameters:
    ///   - count: The number of processes.
    ///   - isFleet: Whether requests go to each process in turn, and the processes forward them.
    init(_ count: Int = 2, isFleet: Bool = false) async throws {
      self.isFleet = isFleet
      proxy = try NginxProcess()
      redis = isFleet ? try await RedisProcess() : nil
      let port = freePort()
      origin = "http://127.0.0.1:\(port)"
      for _ in 0..<count { servers.append(try await server(at: freePort())) }
      try proxy.start(configuration(port: port))
    }

    private func server(at port: Int) async throws -> (process: ChildProcess, port: String) {
      try await ChildProcess.start(
        ChildProcess.built("live-process"),
        [Self.secret] + (redis.map { ["unix:\($0.socket)", "\(port)"] } ?? []),
        readyWhen: #"^(\d+)\n"#)
    }

    /// Returns the nginx configuration of CurlewLive.md, for loopback.
    private func configuration(port: Int) -> String {
      // A server that is restarted is asked again at once.
      let servers = servers.map { "server 127.0.0.1:\($0.port) max_fails=0;" }.joined(
        separator: "\n")
      return """
        map $http_live_session $live_session {
          "" $request_id;
          default $http_live_session;
        }
        upstream pages {
          \(isFleet ? "" : "hash $live_session consistent;")
          \(servers)
        }
        server {
          listen 127.0.0.1:\(port);
          location / {
            proxy_pass http://pages;
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            \(isFleet ? "" : "proxy_set_header Live-Session $live_session;")
          }
        }
        """
    }

    /// Kills a server with `SIGKILL`.
    func kill(_ index: Int) async { await servers.remove(at: index).process.stop() }

    /// Shuts a server down, and starts another at its port.
    func restart(_ index: Int) async throws {
      let (process, port) = servers[index]
      await process.terminate()
      servers[index] = try await server(at: Int(port) ?? 0)
    }

    func stop() async {
      for server in servers { await server.process.stop() }
      await proxy.stop()
      await redis?.stop()
    }
  }
#endif
