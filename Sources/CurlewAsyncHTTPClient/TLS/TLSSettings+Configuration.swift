public import AsyncHTTPClient
import Curlew
import Foundation
import NIOCore
import NIOSSL

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

extension HTTPClient.Configuration {
  /// Returns Curlew's configuration of an `HTTPClient` with TLS settings, to be changed further,
  /// for example with a proxy.
  ///
  /// It extends ``curlew``; the two debug initializers for connections also check the pins. On
  /// Apple's systems create the client with an event loop group of NIOPosix, because
  /// AsyncHTTPClient supports few of these settings with Network.framework:
  ///
  /// ```swift
  /// HTTPClient(
  ///   eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: .curlew(tls: tls))
  /// ```
  ///
  /// - Parameters:
  ///   - tls: The TLS settings.
  ///   - pingInterval: The interval of PINGs on HTTP/2 connections; see
  ///     ``AsyncHTTPClientTransport/init(tls:proxy:pingInterval:)``.
  public static func curlew(
    tls: TLSSettings = TLSSettings(), pingInterval: Duration? = nil
  ) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration.curlew
    configuration.tlsConfiguration = TLSConfiguration(tls)
    // NIO allows 200 responses to PINGs in half a minute.
    let interval = pingInterval.map { TimeAmount(max($0, .seconds(1))) }
    configuration.http2ConnectionDebugInitializer = {
      ConnectionGuard.watch($0, pingInterval: interval)
    }
    if !tls.trust.pins.isEmpty {
      let check = PinCheck(trust: tls.trust)
      configuration.http1_1ConnectionDebugInitializer = { channel in
        check.admit(channel).flatMap { ResponseBoundary.watch(channel) }
      }
      configuration.http2ConnectionDebugInitializer = { channel in
        check.admit(channel).flatMap { ConnectionGuard.watch(channel, pingInterval: interval) }
      }
    }
    return configuration
  }
}

extension TLSConfiguration {
  init(_ settings: TLSSettings) {
    self = .makeClientConfiguration()
    switch settings.minimumVersion {
    case .v1_2: minimumTLSVersion = .tlsv12
    case .v1_3: minimumTLSVersion = .tlsv13
    }
    switch settings.trust.roots {
    case .system: break
    case .systemAnd(let certificates):
      additionalTrustRoots = [.certificates(certificates.forNIO)]
    case .only(let certificates): trustRoots = .certificates(certificates.forNIO)
    }
    if let identity = settings.identity {
      certificateChain = identity.certificates.sources
      privateKey = .privateKey(identity.privateKey.key)
    }
  }
}

/// Rejects a connection to a server that has none of the pinned keys.
///
/// AsyncHTTPClient has no hook for pins. Its debug initializers run after a connection's handshake and before its
/// first request; if one fails, all requests that wait for the connection fail.
private struct PinCheck {
  let trust: ServerTrust

  func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
    let pipeline = channel.pipeline.syncOperations
    let context = try? pipeline.context(handlerType: NIOSSLClientHandler.self)
    do {
      try check(context?.handler as? NIOSSLClientHandler)
      return channel.eventLoop.makeSucceededVoidFuture()
    } catch {
      // Closed below TLS, whose shutdown would wait for the untrusted server. The error is reported
      // after the close, because otherwise the connection could outlive its client.
      if let context { context.close(promise: nil) } else { channel.close(promise: nil) }
      return channel.closeFuture.flatMapThrowing { throw error }
    }
  }

  private func check(_ handler: NIOSSLClientHandler?) throws {
    guard let handler else { throw trust.rejectionOfPlainHTTP ?? .closed }
    let certificate = try handler.peerCertificate.map { Data(try $0.toDERBytes()) }
    let rejection = trust.rejection(of: certificate) { Data(SHA256.hash(data: $0)) }
    if let rejection { throw rejection }
  }
}

extension ServerTrust.Certificates {
  /// The certificates for NIO, which validates more than ``ServerTrust`` does; a certificate that NIO rejects is
  /// skipped, and so is not trusted.
  fileprivate var forNIO: [NIOSSLCertificate] {
    list.compactMap { try? NIOSSLCertificate(bytes: Array($0), format: .der) }
  }

  /// The certificates as a client's or a server's certificate chain.
  var sources: [NIOSSLCertificateSource] { forNIO.map { .certificate($0) } }
}
