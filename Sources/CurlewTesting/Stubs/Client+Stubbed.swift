public import Curlew

extension Client {
  /// Creates a client that sends its requests to a stub transport and uses its clock.
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
