import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// Compares the credentials for a challenge with the RFCs' examples and the output of a Python program.
@Suite(.timeLimit(.minutes(1)))
struct DigestVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let challenge: String
    var user = "Mufasa"
    var password = "Circle of Life"
    var clientNonce = Self.clientNonce
    let expected: String

    static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    static let realm = "http-auth@example.org"
    static let usual = """
      username="Mufasa", realm="\(realm)", uri="/dir/index.html"
      """

    static func rfc7616(_ algorithm: String, _ response: String) -> Vector {
      Vector(
        testDescription: "RFC 7616 section 3.9.1, \(algorithm)",
        challenge: """
          Digest realm="\(realm)", qop="auth, auth-int", algorithm=\(algorithm), nonce="\(nonce)", \
          opaque="\(opaque)"
          """,
        expected: """
          Digest \(usual), algorithm=\(algorithm), nonce="\(nonce)", nc=00000001, \
          cnonce="\(clientNonce)", qop=auth, response="\(response)", opaque="\(opaque)"
          """)
    }
  }

  static let vectors: [Vector] = [
    .rfc7616("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    .rfc7616("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    .rfc7616("SHA-256-sess", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
    .rfc7616("md5-SESS", "e783283f46242139c486a698fec7211d"),
    Vector(
      testDescription: "RFC 2617 section 3.5",
      challenge: """
        Digest realm="testrealm@host.com", qop="auth,auth-int", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"
        """,
      password: "Circle Of Life", clientNonce: "0a4f113b",
      expected: """
        Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", nc=00000001, cnonce="0a4f113b", qop=auth, \
        response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"
        """),
    Vector(
      testDescription: "RFC 2069 section 2.4, with its erratum",
      challenge: """
        Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"
        """,
      password: "CircleOfLife",
      expected: """
        Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", response="1949323746fe6a43ef61f9606e7febea"
        """),
    Vector(
      testDescription: "quotes and backslashes",
      challenge: #"DIGEST Realm = "r \"q\" \\s" , QOP="auth", algorithm="SHA-256", nonce="n\"1""#,
      user: #"a"b\c"#,
      expected: #"""
        Digest username="a\"b\\c", realm="r \"q\" \\s", uri="/dir/index.html", algorithm=SHA-256, \#
        nonce="n\"1", nc=00000001, cnonce="\#(Vector.clientNonce)", qop=auth, \#
        response="323464dc1495637941530dd021690f79e5ac69e9a33399516ff2eac811051851"
        """#),
    Vector(
      testDescription: "a name in UTF-8, normalized (RFC 8187)",
      challenge: """
        Digest realm="\(Vector.realm)", qop="auth", algorithm=SHA-256, nonce="\(Vector.nonce)", \
        charset=UTF-8
        """,
      user: "Ja\u{308}s\u{F8}n",
      expected: """
        Digest username*=UTF-8''J%C3%A4s%C3%B8n, realm="\(Vector.realm)", uri="/dir/index.html", \
        algorithm=SHA-256, nonce="\(Vector.nonce)", nc=00000001, cnonce="\(Vector.clientNonce)", \
        qop=auth, response="0362c9a02695a59abd0d031c43c8c9496c69848f102eaa949a4784df15d776fa"
        """),
  ]

  @Test(arguments: vectors)
  func `credentials are those of the RFCs`(vector: Vector) async throws {
    let stub = StubTransport()
    let client = Client.stubbed(by: stub) {
      $0.middleware = [
        .digestAuthentication(user: vector.user, password: vector.password) {
          vector.clientNonce
        }
      ]
    }
    stub.stub(
      .get, "/**", with: .status(.unauthorized, [.wwwAuthenticate: vector.challenge]),
      .status(.ok))
    try await client.send(Request<Void>.get("/dir/index.html"))
    #expect(stub.requests.map { $0.head.headerFields[.authorization] } == [nil, vector.expected])
  }
}
