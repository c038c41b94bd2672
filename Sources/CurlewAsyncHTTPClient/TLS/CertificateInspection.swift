import Curlew
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Finds out which certificates a server shows that was refused: why it was, BoringSSL does not say.
///
/// It makes a connection of its own to the server, begins a handshake and ends it when the
/// certificates are there; nothing of a request is sent. Requests that are refused at the same time
/// share one.
final class CertificateInspection: Stoppable {
  typealias Certificates = [NIOSSLCertificate]

  /// 5 s for all of it, because the request has failed already.
  private static let timeout = TimeAmount.seconds(5)
  private static let running = Mutex<[String: EventLoopFuture<Certificates>]>([:])

  private enum State {
    case begun
    case waiting(CheckedContinuation<Certificates, any Error>)
    case over(Result<Certificates, any Error>)
  }

  private let state = Mutex(State.begun)

  /// Returns the certificates of a request's server, its own first; none when they can't be had.
  ///
  /// - Throws: `CancellationError` when it was stopped.
  func certificates(for request: OutgoingRequest) async throws -> Certificates {
    request.stops(self)
    let (host, port) = request.server
    Self.inspect(host, port).whenComplete { self.end($0) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Certificates, any Error>? in
          if case .over(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      stop()
    }
  }

  /// Gives the wait up.
  func stop() { end(.failure(CancellationError())) }

  private func end(_ result: Result<Certificates, any Error>) {
    let before = state.withLock { state in
      defer { if case .over = state {} else { state = .over(result) } }
      return state
    }
    if case .waiting(let continuation) = before { continuation.resume(with: result) }
  }
}

extension OutgoingRequest {
  /// Host, without the brackets of an IPv6 address, and port.
  var server: (host: String, port: Int) {
    let parts = URLComponents(string: url)
    let port = parts?.port ?? (head.scheme == "https" ? 443 : 80)
    return ((parts?.host ?? "").trimmingCharacters(in: ["[", "]"]), port)
  }
}

extension CertificateInspection {
  private static func inspect(_ host: String, _ port: Int) -> EventLoopFuture<Certificates> {
    let server = "\(host) \(port)"
    let (future, isNew) = running.withLock { running in
      if let future = running[server] { return (future, false) }
      let future = connect(to: host, port)
      running[server] = future
      return (future, true)
    }
    if isNew { future.whenComplete { _ in running.withLock { $0[server] = nil } } }
    return future
  }

  private static func connect(to host: String, _ port: Int) -> EventLoopFuture<Certificates> {
    let seen = Seen()
    return ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
          var configuration = TLSConfiguration.makeClientConfiguration()
          // What is trusted does not matter here, and the system's roots take long to read.
          configuration.trustRoots = .certificates([])
          let handler = try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration),
            serverHostname: isAddress ? nil : host
          ) { (certificates, verdict: EventLoopPromise<NIOSSLVerificationResult>) in
            seen.certificates.withLock { $0 = certificates }
            verdict.succeed(.failed)
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .connect(host: host, port: port)
      .flatMap { channel in
        let timer = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        return channel.closeFuture
      }
      .map { seen.certificates.withLock { $0 } }
      .recover { _ in [] }
  }

  private final class Seen: Sendable {
    let certificates = Mutex<Certificates>([])
  }
}
