import Foundation
import HTTPTypes
import NIOCore

/// The pictures that the answers link to, drawn when they are asked for.
///
/// They are no API: no limit counts them, none fails or waits, and the log does not hold them.
enum Images {
  /// Answers a request for a picture; nil when the path asks for something else.
  static func answer(
    _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields
  ) -> Answer? {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { String($0) }
    guard segments.count > 2 else { return nil }
    let picture: Drawing?
    switch (segments[0], segments[1]) {
    case ("avatars", "u"): picture = avatar(segments)
    case ("t", "p"): picture = still(segments)
    case ("covers", _): picture = cover(segments)
    default: return nil
    }
    guard method == .get || method == .head, let picture else { return .noPicture }
    return .picture(picture.svg).revalidated(against: headers[.ifNoneMatch])
  }

  /// `/avatars/u/{id}.svg`: vectors fit any size, so that `s` needs no answer.
  private static func avatar(_ segments: [String]) -> Drawing? {
    guard segments.count == 3, let id = number(segments[2]) else { return nil }
    return Avatar.drawing(of: id)
  }

  /// `/t/p/{size}/{file}.svg`: a poster, or a wide picture without letters.
  private static func still(_ segments: [String]) -> Drawing? {
    guard segments.count == 4, let width = width(segments[2]), segments[3].hasSuffix(".svg") else {
      return nil
    }
    let parts = segments[3].dropLast(".svg".count).split(separator: "-")
    let isWide = parts.last == "wide"
    guard let id = parts.dropLast(isWide ? 1 : 0).last.flatMap({ Int($0) }),
      let film = Film.byID[id]
    else { return nil }
    let seed = SplitMix(seed: UInt64(film.id))
    if isWide { return Poster.wide(seed).sized(width, width * 9 / 16) }
    return Poster.drawing(of: film.title.text(in: .english), seed).sized(width, width * 3 / 2)
  }

  /// `/covers/{id}/{height}.svg`.
  private static func cover(_ segments: [String]) -> Drawing? {
    guard segments.count == 3, let height = number(segments[2]), (1...4_000).contains(height),
      let movie = StoreMovie.all.first(where: { $0.id == segments[1] })
    else { return nil }
    let seed = SplitMix(seed: UInt64(movie.index + 5_000))
    return Poster.drawing(of: movie.title, seed).sized(height * 2 / 3, height)
  }

  private static func number(_ file: String) -> Int? {
    guard file.hasSuffix(".svg") else { return nil }
    let digits = file.dropLast(".svg".count)
    return digits.allSatisfy(\.isNumber) ? Int(digits) : nil
  }

  /// TMDB's sizes: `w342`, or `original`.
  private static func width(_ size: String) -> Int? {
    if size == "original" { return 2_000 }
    guard size.hasPrefix("w"), let width = Int(size.dropFirst()), (1...4_000).contains(width) else {
      return nil
    }
    return width
  }
}

extension Answer {
  fileprivate static var noPicture: Answer {
    Answer(
      status: .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ByteBuffer(string: "no such picture\n"))
  }

  fileprivate static func picture(_ svg: String) -> Answer {
    Answer(
      status: .ok,
      headers: [
        .contentType: "image/svg+xml", .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'", .cacheControl: "public, max-age=86400",
      ], body: ByteBuffer(string: svg)
    ).tagged(Fingerprint(svg.utf8))
  }
}
