import Curlew
import Foundation
import NIOSSL

/// Says in a few words why server and client don't trust each other.
struct TrustFailure: UntrustedConnection, CustomStringConvertible {
  let description: String
}

extension TLSProblem {
  /// Returns what to tell of it.
  ///
  /// - Parameters:
  ///   - host: The server's name, where that is known.
  ///   - tls: The client's settings, where they are known.
  ///   - certificates: What the server shows, its own first; empty where that is not known.
  func failure(
    host: String? = nil, tls: TLSSettings? = nil, certificates: [NIOSSLCertificate] = []
  ) -> any Error {
    switch self {
    case .certificate: TrustFailure(description: Self.fault(of: certificates))
    case .name:
      TrustFailure(
        description: "the certificate is for another name" + Self.names(certificates, not: host))
    case .identity(let alert):
      if let tls {
        TrustFailure(
          description: tls.identity == nil
            ? "the server requires a client certificate"
            : "the server refused the client certificate (\(alert))")
      } else {
        TrustFailure(
          description: "the server requires a client certificate, or refused it (\(alert))")
      }
    case .refused:
      TrustFailure(
        description: tls?.identity == nil
          ? "the server refused the TLS handshake: it may require a client certificate"
          : "the server refused the TLS handshake: it may not accept the client certificate")
    case .version:
      TrustFailure(
        description: tls.map { "the server does not speak \($0.minimumVersion.rawValue) or later" }
          ?? "the server speaks no version of TLS that is safe")
    case .notTLS: TransferFailure(description: "the server does not speak TLS on this port")
    case .closedInHandshake:
      TransferFailure(description: "the connection was closed in the TLS handshake")
    case .cut:
      TransferFailure(description: "the connection was closed before the answer was complete")
    case .other(let text): TransferFailure(description: "TLS: \(text)")
    }
  }

  private static func fault(of certificates: [NIOSSLCertificate]) -> String {
    guard let first = certificates.first else {
      return "the certificate is not accepted: it has expired, is not valid yet, "
        + "or its issuer is not trusted"
    }
    let now = Date()
    if let fault = first.fault(at: now) { return "the certificate \(fault)" }
    // An issuer's that is trusted itself may be among those shown without being used.
    if let fault = certificates.dropFirst().lazy.compactMap({ $0.fault(at: now) }).first {
      return "the certificate's issuer is not trusted: one of its certificates \(fault)"
    }
    return "the certificate's issuer is not trusted"
  }

  /// ` (a.example, b.example, not c.example)`.
  private static func names(_ certificates: [NIOSSLCertificate], not host: String?) -> String {
    var names = certificates.first?.names ?? []
    // Large sites have hundreds.
    if names.count > 5 { names = names.prefix(5) + ["…"] }
    if let host { names.append("not \(host)") }
    return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
  }
}

extension NIOSSLCertificate {
  /// What is wrong with its time; `nil` when it is valid.
  fileprivate func fault(at now: Date) -> String? {
    let (begin, end) = (TimeInterval(notValidBefore), TimeInterval(notValidAfter))
    if now.timeIntervalSince1970 < begin {
      return "is not valid yet (until \(Self.day(begin)))"
    }
    if now.timeIntervalSince1970 > end {
      return "has expired (on \(Self.day(end)))"
    }
    return nil
  }

  private static func day(_ time: TimeInterval) -> String {
    Date(timeIntervalSince1970: time).formatted(.iso8601.year().month().day())
  }

  /// The names of servers that it is for, without what a terminal or a page could take for more.
  fileprivate var names: [String] {
    _subjectAlternativeNames().compactMap { name in
      let bytes = name.contents
      switch name.nameType {
      case .dnsName:
        return bytes.count <= 253 && bytes.allSatisfy { 0x21...0x7E ~= $0 }
          ? String(decoding: bytes, as: UTF8.self) : nil
      case .ipAddress where bytes.count == 4:
        return bytes.map { "\($0)" }.joined(separator: ".")
      default: return nil
      }
    }
  }
}
