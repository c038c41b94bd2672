import TestSupport

#if os(macOS) || os(Linux)
  import AsyncHTTPClient
  import CurlewTesting
  import Foundation
  import NIOCore
  import Testing

  /// Processes of `live-process` behind an nginx that routes by session names, or sends requests to each in turn.
  final class Cluster {
    private static let secret = "a secret of these tests, 32 bytes long"

    let origin: String
    private let isFleet: Bool
    private let api: String?
    private let network: ClusterNetwork?
    private let redisPort: Int
    private var servers: [(process: ChildProcess, address: String)] = []
    private let proxy: NginxProcess
    private var redisProcess: RedisProcess?

    /// Runs a body with a cluster.
    ///
    /// - Parameters:
    ///   - count: The number of processes.
    ///   - isFleet: Whether requests go to each process in turn, and the processes forward them.
    ///   - api: The address of the API that the processes of a fleet use.
    ///   - network: The namespaces of the processes; `nil` for loopback.
    static func run<Value>(
      _ count: Int, isFleet: Bool = false, api: String? = nil,
      network: ClusterNetwork? = nil, _ body: (Cluster) async throws -> Value
    ) async throws -> Value {
      _ = try #require(NginxProcess.path, "nginx is not installed")
      let cluster = try await Cluster(count, isFleet, api, network)
      do {
        let value = try await body(cluster)
        await cluster.stop()
        return value
      } catch {
        await cluster.stop()
        throw error
      }
    }

    private init(
      _ count: Int, _ isFleet: Bool, _ api: String?, _ network: ClusterNetwork?
    ) async throws {
      (self.isFleet, self.api, self.network) = (isFleet, api, network)
      proxy = try NginxProcess()
      let redisPort = freePort()
      self.redisPort = redisPort
      let options = network.map {
        ["--bind", $0.host, "--port", "\(redisPort)", "--protected-mode", "no"]
      }
      redisProcess = isFleet ? try await RedisProcess(options ?? []) : nil
      let port = freePort()
      origin = "http://127.0.0.1:\(port)"
      for index in 0..<count { servers.append(try await server(index, at: freePort())) }
      try proxy.start(configuration(port: port))
    }

    private func server(
      _ index: Int, at port: Int
    ) async throws -> (process: ChildProcess, address: String) {
      var arguments = ["secret=\(Self.secret)"] + (api.map { ["api=\($0)"] } ?? [])
      if let socket = redisProcess?.socket {
        let redis = network.map { "redis://\($0.host):\(redisPort)" } ?? "unix:\(socket)"
        arguments += ["port=\(port)", "redis=\(redis)"]
      }
      if let network { arguments.append("host=\(network.address(index))") }
      let command = (network?.command(index) ?? []) + [ChildProcess.built("live-process")]
      let (process, own) = try await ChildProcess.start(
        command[0], Array(command.dropFirst()) + arguments, readyWhen: #"^(\d+)\n"#)
      return (process, "\(network?.webAddress(index) ?? "127.0.0.1"):\(own)")
    }

    /// Returns the nginx configuration of CurlewLive.md, for loopback.
    private func configuration(port: Int) -> String {
      // A server that is restarted is asked again at once.
      let servers = servers.map { "server \($0.address) max_fails=0;" }.joined(
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

    /// The addresses of the processes themselves.
    var origins: [String] { servers.map { "http://\($0.address)" } }

    /// Returns the responses of all processes to requests that are sent to them at once.
    func texts(_ path: String) async throws -> [String] {
      try await withThrowingTaskGroup(of: (index: Int, text: String).self) { group in
        for (index, origin) in origins.enumerated() {
          group.addTask {
            let response = try await HTTPClient.shared.execute(
              HTTPClientRequest(url: origin + path), timeout: .seconds(60))
            return (index, String(buffer: try await response.body.collect(upTo: 1 << 20)))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.index < $1.index }
          .map(\.text)
      }
    }

    /// The engine of a fleet.
    var redis: RedisProcess {
      get throws { try #require(redisProcess) }
    }

    /// Starts an empty Redis in place of one that has ended.
    func restartRedis() async throws {
      redisProcess = try await RedisProcess(at: redis.socket)
    }

    /// Kills a server with `SIGKILL`.
    func kill(_ index: Int) async { await servers.remove(at: index).process.stop() }

    /// Shuts a server down, and starts another at its port.
    func restart(_ index: Int) async throws {
      let (process, address) = servers[index]
      await process.terminate()
      servers[index] = try await server(index, at: Int(address.split(separator: ":")[1]) ?? 0)
    }

    private func stop() async {
      for server in servers { await server.process.stop() }
      await proxy.stop()
      await redisProcess?.stop()
    }
  }
#endif
