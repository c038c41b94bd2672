/// Compares `client.send` with other clients.
enum ClientBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    // URLSession comes last: the heap that its threads leave behind slows down all other clients.
    for onURLSession in [false, true] {
      for size in ResponseSize.allCases {
        let clients = try Clients(port: server.port, size)
        for inFlight in [1, 64] {
          try await compare(
            clients, size, onURLSession: onURLSession, inFlight: inFlight, rounds: rounds)
        }
        try await clients.shutDown()
      }
    }
  }

  /// Sends a number of requests with a client to a running `BenchServer`, because processes can't be started under
  /// valgrind.
  static func send(_ arguments: some Collection<String>) async throws {
    let numbers = arguments.compactMap { Int($0) }
    guard numbers.count == 3, let port = numbers.last else {
      return print("bench send raw|curlew|chain COUNT IN-FLIGHT PORT")
    }
    let clients = try Clients(port: port, .whole)
    let send =
      switch arguments.first {
      case "raw": clients.rawAsyncHTTPClient
      case "chain": try MiddlewareBenchmark.chain(port: port)
      default: clients.curlew
      }
    let result = try await Measurement.take(numbers[0], inFlight: numbers[1], send)
    print("\(result.requestsPerSecond.text(0)) requests/s, \(result.cpu.text(4)) CPU s/1,000")
    try await clients.shutDown()
  }

  private static func compare(
    _ clients: Clients, _ size: ResponseSize, onURLSession: Bool, inFlight: Int, rounds: Int
  ) async throws {
    let count = inFlight == 1 ? 2_000 : 19_200
    let title = "\(inFlight) in flight, \(size.name), over loopback, median of \(rounds) rounds"
    let contender = Comparison.Contender(
      name: "Curlew on AsyncHTTPClient", count: count, send: clients.curlew)
    guard onURLSession else {
      let comparison = try await Comparison(
        [
          .init(name: "raw AsyncHTTPClient", count: count, send: clients.rawAsyncHTTPClient),
          contender,
        ], inFlight: inFlight, rounds: rounds)
      comparison.printTable(title)
      return print(
        """
        Curlew / raw AsyncHTTPClient, requests/s: \(comparison.ratio(1, to: 0, \.requestsPerSecond)) \
        (at least 0.93 at 64, 0.90 at 1)
        Curlew / raw AsyncHTTPClient, CPU:        \(comparison.ratio(1, to: 0, \.cpu)) \
        (at most 1.12 at 64)
        """)
    }
    let comparison = try await Comparison(
      [
        .init(name: "raw URLSession", count: count / 10, send: clients.rawURLSession),
        .init(name: "Curlew on URLSession", count: count / 10, send: clients.curlewOnURLSession),
        contender,
      ], inFlight: inFlight, rounds: rounds)
    comparison.printTable(title)
    print(
      """
      Curlew on AsyncHTTPClient / raw URLSession, requests/s: \
      \(comparison.ratio(2, to: 0, \.requestsPerSecond)) (at least 6 at 64)
      Curlew on URLSession / raw URLSession:                  \
      \(comparison.ratio(1, to: 0, \.requestsPerSecond))
      """)
  }
}
