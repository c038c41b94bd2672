import TestSupport

#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation

  /// Two processes of `live-process` behind an nginx that routes by session names.
  final class Cluster {
    private static let secret = "a secret of these tests, 32 bytes long"

    /// The build directory's `live-process` executable.
    private static let program: URL = {
      let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
      let folder = tests ?? URL(filePath: CommandLine.arguments[0])
      return folder.deletingLastPathComponent().appending(path: "live-process")
    }()

    private final class Child {
      let process = Process()
      let port: Int
      private let input = Pipe()

      init() throws {
        let output = Pipe()
        process.executableURL = Cluster.program
        process.arguments = [Cluster.secret]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
          let data = output.fileHandleForReading.availableData
          guard !data.isEmpty else { break }
          text += String(decoding: data, as: UTF8.self)
        }
        port = Int(text.dropLast()) ?? 0
      }
    }

    let origin: String
    private let servers: [Child]
    private let proxy: NginxProcess

    init() async throws {
      proxy = try NginxProcess()
      servers = [try Child(), try Child()]
      let port = freePort()
      origin = "http://127.0.0.1:\(port)"
      try proxy.start(configuration(port: port))
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
    func kill(_ index: Int) async {
      Foundation.kill(servers[index].process.processIdentifier, SIGKILL)
      _ = await servers[index].process.end()
    }

    func stop() async {
      for process in servers.map(\.process) where process.isRunning {
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = await process.end()
      }
      await proxy.stop()
    }
  }
#endif
