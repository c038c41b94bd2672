import Foundation
import Testing
import showcase

/// The addresses that an origin of images allows.
struct ImageOriginTests {
  private func url(_ origin: String, _ authority: String, _ path: String) -> String? {
    ImageOrigin(origin)?.url(of: authority, path)
  }

  @Test(arguments: [
    ("https://image.tmdb.org/t/p/", "image.tmdb.org", "/t/p/w342/a.jpg"),
    ("https://avatars.githubusercontent.com/", "avatars.githubusercontent.com", "/u/1"),
    ("https://*.mzstatic.com/image/", "is1-ssl.mzstatic.com", "/image/thumb/a%20b.jpg"),
    ("http://127.0.0.1:8080/covers/", "127.0.0.1:8080", "/covers/1/2.svg"),
  ])
  func `images of the origin come through`(origin: String, authority: String, path: String) {
    let scheme = origin.prefix { $0 != ":" }
    #expect(url(origin, authority, path) == "\(scheme)://\(authority)\(path)")
  }

  @Test(arguments: [
    ("localhost", "/t/p/a.jpg"), ("169.254.169.254", "/t/p/a.jpg"),
    ("image.tmdb.org.evil.example", "/t/p/a.jpg"), ("image.tmdb.org:81", "/t/p/a.jpg"),
    ("user@image.tmdb.org", "/t/p/a.jpg"), ("IMAGE.tmdb.org", "/t/p/a.jpg"), ("", "/t/p/a.jpg"),
    ("image.tmdb.org", "/3/movie"), ("image.tmdb.org", "/t/p"), ("image.tmdb.org", "/t/p/"),
    ("image.tmdb.org", "/t/p/../../3/movie"), ("image.tmdb.org", "/t/p/%2e%2e/a"),
    ("image.tmdb.org", "/t/p/a%2f..%2fb"), ("image.tmdb.org", "/t/p//a"),
    ("image.tmdb.org", "/t/p/a%5C..%5Cb"), ("image.tmdb.org", "/t/p/a%0d%0ab"),
    ("image.tmdb.org", "/t/p/%zz"), ("image.tmdb.org", "/t/p/%ff"),
  ])
  func `everything else does not`(authority: String, path: String) {
    #expect(url("https://image.tmdb.org/t/p/", authority, path) == nil)
  }

  @Test(arguments: [
    "mzstatic.com", ".mzstatic.com", "a.b.mzstatic.com", "evilmzstatic.com", "a@b.mzstatic.com",
    "127.0.0.1:80.mzstatic.com", "a.mzstatic.com:81", "a.mzstatic.com.evil.example",
    "*.mzstatic.com",
  ])
  func `one label stands before a domain`(authority: String) {
    #expect(url("https://*.mzstatic.com/image/", authority, "/image/a.jpg") == nil)
  }

  @Test(arguments: [
    "", "image.tmdb.org", "ftp://a.example/", "https://a.example", "https://*/", "https://a b/",
    "https://u@a.example/", "https://a.example/../",
  ])
  func `malformed origin is none`(text: String) {
    #expect(ImageOrigin(text) == nil)
  }

  @Test(arguments: [
    ("https://image.tmdb.org/t/p/a.jpg", "/images/image.tmdb.org/t/p/a.jpg"),
    ("HTTPS://User@A.Example:81/b?v=4&c=%20#d", "/images/a.example:81/b?v=4&c=%20"),
    ("http://127.0.0.1:8080/covers/1.svg", "/images/127.0.0.1:8080/covers/1.svg"),
  ])
  func `images have a path on the pages`(url: String, path: String) {
    #expect(URL(string: url)?.imagePath == path)
  }

  @Test(arguments: ["javascript:alert(1)", "data:image/png;base64,AA", "file:///etc/passwd", "/a"])
  func `what is not of the web has none`(url: String) {
    #expect(URL(string: url)?.imagePath == nil)
  }
}
