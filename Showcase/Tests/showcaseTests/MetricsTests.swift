#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation
  import ShowcaseTestSupport
  import Testing

  /// `/metrics` and `/ready` of the showcase, read as Prometheus and a load balancer do.
  @Suite(.timeLimit(.minutes(2)))
  struct MetricsTests {
    @Test(.enabled(if: Prometheus.isPossible, "Python is not installed"))
    func `Prometheus' own parser reads the metrics`() async throws {
      let python = try await Prometheus.installed.value
      let (server, origin) = try await ChildProcess.start(
        ChildProcess.built("showcase"),
        ["serve", "--port", "0", "--sandbox-port", "0", "--no-cache"],
        readyWhen: #"on (http://127\.0\.0\.1:\d+) "#)
      do {
        for path in ["/issues", "/ready", "/watch/board"] {
          _ = try await Process.run(["curl", "--silent", "--fail", origin + path])
        }
        let script = """
          import sys, urllib.request
          from prometheus_client.parser import text_string_to_metric_families as parse
          response = urllib.request.urlopen(sys.argv[1] + "/metrics")
          assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
          for family in parse(response.read().decode()):
              for sample in family.samples:
                  print(family.type, sample.name, sorted(sample.labels.items()), sample.value)
          """
        let (end, output) = try await Process.run([python, "-c", script, origin])
        #expect(end == .success)
        let lines = String(decoding: output, as: UTF8.self)
        #expect(lines.contains("gauge curlew_live_sessions [('page', '/issues')] 1.0"), "\(lines)")
        #expect(lines.contains("gauge curlew_live_connections [] "), "\(lines)")
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  /// The client library of Prometheus, from PyPI in a virtual environment.
  private enum Prometheus {
    static let isPossible =
      ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
      .contains { FileManager.default.isExecutableFile(atPath: $0) }
      || ProcessInfo.processInfo.environment["CI"] != nil

    static let installed = Task {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.build/prometheus").standardizedFileURL.path
      let path = "\(folder)/bin/python3"
      let check = [path, "-c", "import prometheus_client.parser"]
      // Twice, because a download may fail.
      for _ in 1...3 {
        if FileManager.default.isExecutableFile(atPath: path),
          try await Process.run(check).end == .success
        {
          return path
        }
        _ = try await Process.run(["python3", "-m", "venv", "--clear", folder])
        _ = try await Process.run(
          [path, "-m", "pip", "install", "--quiet", "prometheus_client==0.22.1"])
      }
      throw ChildProcess.LaunchFailure(description: "prometheus_client could not be installed")
    }
  }
#endif
