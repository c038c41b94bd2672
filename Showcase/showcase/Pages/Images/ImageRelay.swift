import Curlew
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A proxy for the images in the data: browsers load everything from one origin, and image servers
/// don't learn about the users.
///
/// It is not an open proxy: it relays only images, and only from the given origins. A slow browser
/// slows the transfer from the image's server (back-pressure); no image is buffered as a whole.
package struct ImageRelay: Sendable {
  /// The maximum size of an image in bytes; larger than any poster.
  private static let largest = 8 << 20

  /// The media types of the images that browsers can show.
  private static let types: Set = [
    "image/avif", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp",
  ]

  /// The request header fields for validating a browser's cached image.
  private static let conditions: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince]

  /// The response header fields for caching and validating an image.
  private static let kept: [HTTPField.Name] = [
    .age, .cacheControl, .date, .eTag, .expires, .lastModified, .vary,
  ]

  /// The paths of the sandbox's images.
  package static let sandboxPaths = ["/avatars/u/", "/t/p/", "/covers/", "/dogs/pictures/"]

  private let origins: [ImageOrigin]
  private let network: Network

  /// Creates a proxy for images from the given origins.
  package init(origins: [ImageOrigin], over network: Network) {
    (self.origins, self.network) = (origins, network)
  }

  /// Returns the image for a path such as `/images/image.tmdb.org/t/p/w342/a.jpg`; error responses
  /// contain no information about the image's server.
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
    // The target of a redirect may not be an allowed origin.
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
      // An image that is opened as a document must not run scripts in this origin.
      .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      .xContentTypeOptions: "nosniff",
    ]
    for name in kept { fields[name] = image.head.headerFields[name] }
    guard image.head.status != .notModified else {
      return Hummingbird.Response(status: .notModified, headers: fields)
    }
    // The parameters are dropped, because browsers could derive another type from them.
    let type = (image.head.headerFields[.contentType] ?? "").prefix { $0 != ";" && $0 != " " }
      .lowercased()
    guard types.contains(type), length ?? 0 <= largest else { throw NotAnImage() }
    fields[.contentType] = type
    let body = ResponseBody(contentLength: length) { writer in
      // Each chunk is written before the next is read. If the browser disconnects, the transfer
      // ends.
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
  /// The path at which the web server provides an image from the web; an ``ImageRelay`` serves only
  /// allowed images.
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
