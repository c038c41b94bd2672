import Foundation

extension Proxy {
  /// The proxies in the environment's variables; the default of each transport.
  ///
  /// As in curl (see ENVIRONMENT in its manual), these variables contain the address of a proxy, in the form of
  /// ``init(_:except:)``; the first variable that is not empty applies:
  /// - for http servers: `http_proxy`, `all_proxy`, `ALL_PROXY`,
  /// - for https servers: `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`.
  ///
  /// `HTTP_PROXY` is ignored: in a CGI program, each client can set it by the header field `Proxy` (httpoxy). The
  /// servers in `no_proxy` or `NO_PROXY` are reached directly (``ProxyExceptions``). Servers on the same machine are
  /// no exception, unless they are listed.
  ///
  /// The variables are read once. A variable without a usable address is not ignored: the requests that would use it
  /// throw ``Client/Error/invalidRequest(_:)``, which names the variable. Without any variable, `URLSession` on
  /// Apple's platforms uses the system's settings.
  public static var environment: Proxy { process }

  private static let process = Proxy.environment(ProcessInfo.processInfo.environment)

  /// Returns the proxies in a program's own variables, as in ``environment``.
  public static func environment(_ variables: [String: String]) -> Proxy {
    Proxy { variables[$0] }
  }

  init(variable: (String) -> String?) {
    func first(_ names: [String]) -> (name: String, text: String)? {
      names.compactMap { name in variable(name).map { (name, $0) } }.first { !$0.1.isEmpty }
    }
    func address(_ names: [String]) -> Address? {
      guard let (name, text) = first(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
      do {
        return .server(try ProxyServer(text))
      } catch {
        return .malformed(reason: "the environment's variable \(name) is malformed: \(error)")
      }
    }
    self.init(
      http: address(["http_proxy"]), https: address(["https_proxy", "HTTPS_PROXY"]),
      except: ProxyExceptions(first(["no_proxy", "NO_PROXY"])?.text ?? ""))
    mayUseSystem = true
  }
}
