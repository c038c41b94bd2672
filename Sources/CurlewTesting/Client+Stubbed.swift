public import Curlew

extension Client {
  /// Creates a client whose requests a stub responds, on the stub's clock.
  public static func stubbed(
    by stub: StubTransport,
    baseURL: BaseURL = "https://api.example.com",
    configure: (inout Configuration) -> Void = { _ in }
  ) -> Client {
    Client(baseURL: baseURL) {
      $0.transport = stub
      $0.clock = stub.clock
      configure(&$0)
    }
  }
}
