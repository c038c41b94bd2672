import CurlewLive
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOHTTP1
import Testing

/// An uncompressed and a compressed asset: two representations, each with its own entity tag.
@Suite(.timeLimit(.minutes(1)))
struct AssetCodingTests {
  private let style = LiveAsset(
    named: "site.css", bytes: Array(rows(20_000).utf8), contentType: "text/css")

  private func send(
    _ asset: LiveAsset, _ fields: HTTPFields, _ method: HTTPRequest.Method = .get
  ) async throws -> TestResponse {
    let router = Router()
    router.add(asset)
    return try await Application(router: router).test(.router) { client in
      try await client.execute(uri: asset.path, method: method, headers: fields)
    }
  }

  @Test(arguments: [
    ("gzip", true), ("GZIP, br", true), ("x-gzip", true), ("deflate, gzip;q=0.001", true),
    ("br;q=1 ,\tgzip ; Q=0.5", true), ("*", true), ("*;q=0.5, gzip", true), ("gzip;q=1.", true),
    ("identity, gzip", true), ("gzip;q=0, *", false), ("gzip;q=0.000", false), ("*;q=0", false),
    ("", false), ("br", false), ("deflate", false), ("identity", false), ("gzipped", false),
    ("identity, gzip;q=0.9", false), ("gzip;q=2", false), ("gzip;q=-1", false),
    ("gzip;q=nan", false), ("gzip;q", false), ("gzip;level=9", false), (";q=1,,", false),
  ])
  func `gzip is sent to those who want it`(value: String, isWanted: Bool) async throws {
    let response = try await send(style, [.acceptEncoding: value])

    #expect(response.headers[.contentEncoding] == (isWanted ? "gzip" : nil))
    #expect(response.headers[.vary] == "Accept-Encoding")
    #expect(response.headers[.contentLength] == "\(response.body.readableBytes)")
    #expect(try (isWanted ? gunzip(response.body) : response.text) == rows(20_000))
  }

  @Test func `each coding has a tag of its own`() async throws {
    let plain = try await send(style, [:])
    let gzip = try await send(style, [.acceptEncoding: "gzip"])
    let tags = (try #require(plain.headers[.eTag]), try #require(gzip.headers[.eTag]))

    #expect(tags.0 != tags.1)
    #expect(tags.0.hasPrefix("\"") && tags.1.hasPrefix("\""))
    #expect(gzip.body.readableBytes < plain.body.readableBytes / 10)
    for (tag, coding, status) in [
      (tags.0, "identity", 304), (tags.1, "gzip", 304), (tags.0, "gzip", 200),
      (tags.1, "identity", 200), ("W/\(tags.1)", "gzip", 304), ("*", "gzip", 304),
      ("\"a,b\", W/\"c\" , \(tags.1)", "gzip", 304), ("\"*\"", "gzip", 200),
      ("\"x\(tags.1.dropFirst())", "gzip", 200), (String(tags.1.dropLast()), "gzip", 200),
    ] {
      let fields: HTTPFields = [.ifNoneMatch: tag, .acceptEncoding: coding]
      let response = try await send(style, fields)

      #expect(response.status.code == status, "\(tag) for \(coding)")
      #expect((response.body.readableBytes == 0) == (status == 304))
      #expect(response.headers[.vary] == "Accept-Encoding")
      #expect(response.headers[.eTag] == (coding == "gzip" ? tags.1 : tags.0))
      #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
      #expect(try await send(style, fields, .head).status.code == status)
    }
  }

  @Test func `head has the length of the coding`() async throws {
    let get = try await send(style, [.acceptEncoding: "gzip"])
    let head = try await send(style, [.acceptEncoding: "gzip"], .head)

    #expect(head.headers[.contentLength] == get.headers[.contentLength])
    #expect(head.headers[.contentEncoding] == "gzip")
    #expect(head.body.readableBytes == 0)
  }

  @Test func `bytes that do not shrink have one coding`() async throws {
    let random = (0..<2_000).map { _ in UInt8.random(in: 0...255) }
    let image = LiveAsset(named: "icon.png", bytes: random, contentType: "image/png")
    let response = try await send(image, [.acceptEncoding: "gzip"])

    #expect(response.headers[.contentEncoding] == nil)
    #expect(response.headers[.vary] == nil)
    #expect(Array(response.body.readableBytesView) == random)
  }

  @Test func `the channel leaves assets as they are`() async throws {
    try await withServer(NotesPage()) { visitor in
      let url = visitor.origin + LiveAsset.script.path
      let first = try await fetch(url)
      let tag = try #require(first.fields.first(name: "ETag"))
      let second = try await fetch(url, [("Accept-Encoding", "gzip"), ("If-None-Match", tag)])

      #expect(first.isCompressed && tag.hasSuffix("-gzip\""))
      #expect(first.fields["Vary"] == ["Accept-Encoding"])
      #expect(first.fields["Content-Length"] == ["\(first.body.readableBytes)"])
      #expect(try await first.text == fetch(url, []).text)
      #expect(second.status == 304 && second.fields["ETag"] == [tag])
    }
  }
}
