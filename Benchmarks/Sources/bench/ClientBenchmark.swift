/// `client.send` beside its peers, in turns, so that what disturbs one disturbs all.
enum ClientBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    for size in AnswerSize.allCases {
      let clients = try Clients(port: server.port, size)
      for inFlight in [1, 64] {
        try await compare(clients, size, inFlight: inFlight, rounds: rounds)
      }
      try await clients.shutDown()
    }
  }

  private static func compare(
    _ clients: Clients, _ size: AnswerSize, inFlight: Int, rounds: Int
  ) async throws {
    let count = inFlight == 1 ? 2_000 : 19_200
    let contenders: [(name: String, count: Int, send: Clients.Send)] = [
      ("raw AsyncHTTPClient", count, clients.rawAsyncHTTPClient),
      ("Curlew on AsyncHTTPClient", count, clients.curlew),
      ("raw URLSession", count / 10, clients.rawURLSession),
      ("Curlew on URLSession", count / 10, clients.curlewOnURLSession),
    ]
    var measurements = contenders.map { _ in [Measurement]() }
    for contender in contenders {
      _ = try await Measurement.take(contender.count / 2, inFlight: inFlight, contender.send)
    }
    for round in 0..<rounds {
      // Every other round backwards: none is always the first or behind the same one.
      let order = Array(contenders.indices)
      for index in round.isMultiple(of: 2) ? order : order.reversed() {
        let contender = contenders[index]
        measurements[index].append(
          try await Measurement.take(contender.count, inFlight: inFlight, contender.send))
      }
    }

    print("\n\(inFlight) in flight, \(size.name), over loopback, median of \(rounds) rounds")
    print(
      "".left(28) + "requests/s".right(12) + "CPU s/1,000".right(14) + "p50 us".right(10)
        + "p99 us".right(10))
    for (contender, all) in zip(contenders, measurements) {
      let figures = Measurement.median(all)
      print(
        contender.name.left(28) + figures.requestsPerSecond.text(0).right(12)
          + figures.cpu.text(4).right(14) + figures.p50.text(0).right(10)
          + figures.p99.text(0).right(10))
    }
    func ratio(_ index: Int, to peer: Int, _ figure: (Measurement) -> Double) -> Double {
      zip(measurements[index], measurements[peer]).map { figure($0) / figure($1) }.median
    }
    let raw = "raw AsyncHTTPClient"
    print(
      "Curlew / \(raw), requests/s: \(ratio(1, to: 0, \.requestsPerSecond).text()) (at least 0.90 at 64)"
    )
    print("Curlew / \(raw), CPU:        \(ratio(1, to: 0, \.cpu).text()) (at most 1.15 at 64)")
    print(
      "Curlew / raw URLSession, requests/s:      \(ratio(1, to: 2, \.requestsPerSecond).text()) (at least 6 at 64)"
    )
    print(
      "Curlew on URLSession / raw URLSession:    \(ratio(3, to: 2, \.requestsPerSecond).text())")
  }
}
