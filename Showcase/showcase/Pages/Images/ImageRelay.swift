import Curlew
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Streams the images that the data names through to the pages: browsers load everything from one origin,
/// and the servers of the images don't learn who looks.
///
/// It is no open proxy: only images come through, and only from the origins that it was made with. A
/// browser that reads slowly slows the image's server down; no image is held in memory as a whole.
package struct ImageRelay: Sendable {
  /// More than any poster has.
  private static let largest = 8 << 20

  /// What browsers show as an image.
  private static let types: Set = [
    "image/avif", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp",
  ]

  /// What says whether a browser's copy is still good.
  private static let conditions: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince]

  /// What tells a browser how to keep an image.
  private static let kept: [HTTPField.Name] = [
    .age, .cacheControl, .date, .eTag, .expires, .lastModified, .vary,
  ]

  /// Where the sandbox has its images.
  package static let sandboxPaths = ["/avatars/u/", "/t/p/", "/covers/", "/dogs/pictures/"]

  private let origins: [ImageOrigin]
  private let network: Network

  /// Creates a relay for images of some origins.
  package init(origins: [ImageOrigin], over network: Network) {
    (self.origins, self.network) = (origins, network)
  }

  /// Returns the image that a path such as `/images/image.tmdb.org/t/p/w342/a.jpg` names; errors tell
  /// nothing of the image's server.
  @concurrent
  func response(to request: Hummingbird.Request) async -> Hummingbird.Response {
    let parts = request.uri.path.split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[1] == "images", case let path = "/\(parts[3])",
      let url = origins.lazy.compactMap({ $0.url(of: parts[2], path) }).first
    else { return Self.plain(.notFound) }
    do {
      let image = try await stream(url + (request.uri.query.map { "?\($0)" } ?? ""), request)
      let response = try Self.response(image, length: image.length.flatMap { Int(exactly: $0) })
      return request.method == .head ? response.createHeadResponse() : response
    } catch {
      let isMissing = [.notFound, .gone].contains((error as? Client.Error)?.status)
      return Self.plain(isMissing ? .notFound : .badGateway)
    }
  }

  private func stream(
    _ url: String, _ request: Hummingbird.Request
  ) async throws -> StreamedResponse {
    // What a redirect leads to is not what was allowed.
    let (client, image) = try Client.get(url, redirects: .doNotFollow, over: network)
    var endpoint = image.accepting([HTTPResponse.Status.notModified.code])
      .limits { $0.bodySize = Self.largest }
    endpoint.headerFields[.accept] = "image/*"
    for name in Self.conditions { endpoint.headerFields[name] = request.headers[name] }
    return try await client.stream(endpoint)
  }

  private static func response(
    _ image: StreamedResponse, length: Int?
  ) throws -> Hummingbird.Response {
    var fields: HTTPFields = [
      // An image that is opened by itself must not run anything as a page of ours.
      .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      .xContentTypeOptions: "nosniff",
    ]
    for name in kept { fields[name] = image.head.headerFields[name] }
    guard image.head.status != .notModified else {
      return Hummingbird.Response(status: .notModified, headers: fields)
    }
    // Without what follows it: browsers would take another type from there.
    let type = (image.head.headerFields[.contentType] ?? "").prefix { $0 != ";" && $0 != " " }
      .lowercased()
    guard types.contains(type), length ?? 0 <= largest else { throw NotAnImage() }
    fields[.contentType] = type
    let body = ResponseBody(contentLength: length) { writer in
      // Written before the next chunk is read. A browser that leaves ends the transfer.
      for try await chunk in image { try await writer.write(ByteBuffer(bytes: chunk)) }
      try await writer.finish(nil)
    }
    return Hummingbird.Response(status: .ok, headers: fields, body: body)
  }

  private struct NotAnImage: Error {}

  private static func plain(_ status: HTTPResponse.Status) -> Hummingbird.Response {
    Hummingbird.Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: "There is no such image.\n")))
  }
}

extension URL {
  /// The path under which the pages have an image of the web; an ``ImageRelay`` knows which ones there
  /// are.
  package var imagePath: String? {
    guard let parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
      ["http", "https"].contains(parts.scheme?.lowercased()), let host = parts.percentEncodedHost,
      !host.isEmpty
    else { return nil }
    let authority = host.lowercased() + (parts.port.map { ":\($0)" } ?? "")
    return "/images/\(authority)\(parts.percentEncodedPath)"
      + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
  }
}
