package import Sandbox

extension Backend {
  /// Starts the sandbox at a port; `nil` selects the usual port, or a free port if the usual port
  /// is in use.
  package static func sandbox(
    _ options: Sandbox.Options, port: Int?, usualPort: Int = Sandbox.usualPort,
    log: Log = .standardError
  ) async throws(Failure) -> Sandbox {
    do {
      return try await Sandbox.start(options, port: port ?? usualPort)
    } catch {
      if port != nil {
        throw Failure(
          "\(error) Choose another port with --sandbox-port.", status: .unavailable)
      }
    }
    do {
      let sandbox = try await Sandbox.start(options, port: 0)
      // Users must know that content cached earlier isn't found at the new address.
      log.write(
        "Port \(usualPort) is in use, so the sandbox uses \(sandbox.baseURL): responses cached from "
          + "its usual address are not used.")
      return sandbox
    } catch {
      throw Failure("\(error)", status: .unavailable)
    }
  }
}
