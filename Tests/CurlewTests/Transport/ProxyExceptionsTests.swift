import Curlew
import Testing

/// The rules of curl for `NO_PROXY`.
struct ProxyExceptionsTests {
  @Test(arguments: [
    ("example.com", "example.com"), ("example.com", "www.example.com"),
    (".example.com", "example.com"), (".example.com", "a.b.example.com"),
    ("EXAMPLE.com", "www.Example.COM"), ("example.com.", "example.com"),
    ("example.com", "example.com."), ("a.test, example.com", "example.com"),
    ("a.test example.com\texample.org", "example.org"), (",,example.com,", "example.com"),
    ("*", "anything.test"), (" * ", "10.1.2.3"), ("com", "example.com"),
    ("10.1.2.3", "10.1.2.3"), ("10.0.0.0/8", "10.255.0.1"), ("10.1.2.0/23", "10.1.3.255"),
    ("0.0.0.0/0", "8.8.8.8"), ("10.1.2.3/32", "10.1.2.3"),
    ("::1", "::1"), ("::1", "[::1]"), ("[::1]", "::1"), ("0:0:0:0:0:0:0:1", "::1"),
    ("fd00::/8", "fd12::7"), ("FD12::7", "fd12::7"),
  ])
  func `a listed host is reached directly`(text: String, host: String) {
    #expect(ProxyExceptions(text).contains(host: host, port: 443))
  }

  @Test(arguments: [
    ("", "example.com"), ("example.com", "badexample.com"), ("www.example.com", "example.com"),
    ("example.com", "example.com.evil.test"), ("*.example.com", "www.example.com"),
    ("a.test,*", "example.com"), ("10.0.0.0/8", "11.0.0.1"), ("10.1.2.0/23", "10.1.4.0"),
    ("10.0.0.0/33", "10.0.0.1"), ("10.0.0.0/-1", "10.0.0.1"), ("10.0.0.0/x", "10.0.0.1"),
    ("10.0.0", "10.0.0.1"), ("0.1", "10.0.0.1"), ("0.0.0.0/0", "::1"), ("::/0", "10.0.0.1"),
    ("0.0.0.0/0", "example.com"), ("localhost", "127.0.0.1"), ("::1", "::2"),
    (".", "example.com"), ("example.com:", "example.org"), ("/", "10.0.0.1"),
  ])
  func `another host is not`(text: String, host: String) {
    #expect(!ProxyExceptions(text).contains(host: host, port: 443))
  }

  @Test(arguments: [
    ("localhost:8080", "localhost", 8080, true), ("localhost:8080", "localhost", 80, false),
    ("example.com:443", "www.example.com", 443, true), ("[::1]:8080", "::1", 8080, true),
    ("[::1]:8080", "::1", 80, false), ("10.1.2.3:80", "10.1.2.3", 80, true),
    ("10.1.2.3:80", "10.1.2.3", 81, false), ("a.test:99999999999999999999", "a.test", 80, false),
  ])
  func `a port limits an entry to it`(text: String, host: String, port: Int, isDirect: Bool) {
    #expect(ProxyExceptions(text).contains(host: host, port: port) == isDirect)
  }

  @Test func `exceptions are described by their text`() {
    let exceptions: ProxyExceptions = "localhost, .test"
    #expect("\(exceptions)" == "localhost, .test")
  }
}
