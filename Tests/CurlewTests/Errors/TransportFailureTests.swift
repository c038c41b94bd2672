import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("Kinds of a transport's failure", .timeLimit(.minutes(1)))
struct TransportFailureTests {
  typealias Kind = Client.TransportFailure.Kind

  private let stub = StubTransport(clock: TestClock())

  private func error(_ failure: any Error) async throws -> Client.Error {
    stub.stub(.get, "/x", with: .failure(failure))
    return try #require(
      await Client.stubbed(by: stub).result(of: Request<Int>.get("/x")).failure)
  }

  private func kind(of failure: any Error) async throws -> Kind? {
    try await error(failure).transportFailure?.kind
  }

  static let texts: [(Kind, isRetryable: Bool, text: String)] = [
    (
      .nameNotResolved, true,
      UserTexts.english.nameNotResolved
    ),
    (
      .unreachable, true,
      UserTexts.english.unreachable
    ),
    (.refused, true, UserTexts.english.connectionRefused),
    (.lost, true, UserTexts.english.connectionLost),
    (
      .untrusted, false,
      "A secure connection could not be established: the server's identity can't be verified, "
        + "or the server does not accept this app."
    ),
    (.tls, false, UserTexts.english.insecure),
    (.protocolError, false, UserTexts.english.invalidResponse),
    (.contentCoding, false, UserTexts.english.damagedEncoding),
    (.digest, true, UserTexts.english.damaged),
    (.other, true, UserTexts.english.connectionFailed),
  ]

  @Test(arguments: texts)
  func `kind has a text for a user`(kind: Kind, isRetryable: Bool, text: String) async throws {
    let error = try await error(Client.TransportFailure(kind, reason: "because (a, b)"))
    #expect(error.transportFailure?.kind == kind)
    #expect(kind.isRetryable == isRetryable)
    #expect(error.isRetryable == isRetryable)
    #expect(error.localizedDescription == text)
    #expect(text.contains("ry again") == isRetryable)
    #expect("\(error)" == "GET https://api.example.com/x: because (a, b)")
  }

  @Test func `each kind has a text of its own`() {
    #expect(Self.texts.map(\.0) == Kind.allCases)
    #expect(Set(Self.texts.map(\.text)).count == Kind.allCases.count)
  }

  @Test func `error of another type is of kind other`() async throws {
    struct ConnectionReset: Error {}
    let error = try await error(ConnectionReset())
    #expect(error.transportFailure?.kind == .other)
    #expect(error.transportFailure?.reason == "ConnectionReset()")
  }

  @Test(
    arguments: [
      (.cannotFindHost, .nameNotResolved), (.dnsLookupFailed, .nameNotResolved),
      (.notConnectedToInternet, .unreachable), (.timedOut, .unreachable),
      (.cannotConnectToHost, .refused), (.networkConnectionLost, .lost),
      (.serverCertificateHasBadDate, .untrusted), (.serverCertificateUntrusted, .untrusted),
      (.serverCertificateNotYetValid, .untrusted), (.serverCertificateHasUnknownRoot, .untrusted),
      (.clientCertificateRejected, .untrusted), (.clientCertificateRequired, .untrusted),
      (.secureConnectionFailed, .tls), (.cannotParseResponse, .protocolError),
      (.cannotDecodeRawData, .contentCoding), (.cannotDecodeContentData, .contentCoding),
      (.unknown, .other), (.fileDoesNotExist, .other),
    ] as [(URLError.Code, Kind)])
  func `loading error has a kind`(code: URLError.Code, kind: Kind) async throws {
    #expect(try await self.kind(of: URLError(code)) == kind)
  }

  #if os(Linux)
    /// Codes and messages of libcurl 7.88 with OpenSSL 3.0; the last few are from 8.x.
    static let messages: [Kind: [String]] = [
      .unreachable: ["Failed to connect to a.b port 80 after 0 ms: Couldn't connect to server"],
      .untrusted: [
        "SSL certificate problem: self-signed certificate",
        "SSL certificate problem: certificate has expired",
        "SSL: no alternative certificate subject name matches target host name 'localhost'",
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
        "OpenSSL/3.0.19: error:0A000418:SSL routines::tlsv1 alert unknown ca",
        "TLS connect error: error:0A000086:SSL routines::certificate verify failed",
      ],
      .tls: [
        "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
        "OpenSSL/3.0.19: error:0A00042E:SSL routines::tlsv1 alert protocol version",
        "OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure",
      ],
      .lost: [
        "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a.b:443 ",
        "Recv failure: Connection reset by peer",
        "transfer closed with 7 bytes remaining to read",
        "transfer closed with outstanding read data remaining",
        "end of response with 7 bytes missing",
      ],
      .protocolError: [
        "Illegal or missing hexadecimal sequence in chunked-encoding",
        "Invalid Content-Length: value", "Header without colon", "Failed writing header",
      ],
      .contentCoding: [
        "Error while processing content unencoding: incorrect data check",
        "Unrecognized content encoding type. libcurl understands gzip.",
      ],
      .other: ["Something new"],
    ]

    @Test(
      arguments: [
        (.badServerResponse, "Empty reply from server", .lost),
        (.unsupportedURL, "Received HTTP/0.9 when not allowed", .protocolError),
        (.unsupportedURL, "Unsupported HTTP version in response", .protocolError),
        (
          .cannotConnectToHost,
          "Failed to connect to a.b port 1 after 0 ms: Couldn't connect to server", .refused
        ),
        // Another address of the name had refused the connection before.
        (.cannotConnectToHost, "SSL certificate problem: certificate has expired", .untrusted),
      ]
        + messages.flatMap { kind, texts in texts.map { (URLError.Code.unknown, $0, kind) } }
        as [(URLError.Code, String, Kind)])
    func `message of libcurl has a kind`(
      code: URLError.Code, message: String, kind: Kind
    ) async throws {
      let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: message])
      #expect(try await self.kind(of: error) == kind)
    }
  #endif
}
