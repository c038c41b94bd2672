/// Measurements of several clients, taken in turns so that disturbances affect all clients.
struct Comparison {
  struct Contender {
    let name: String
    let count: Int
    let send: Clients.Send
  }

  let contenders: [Contender]
  private let measurements: [[Measurement]]

  /// Measures the clients, after half as many requests to warm up.
  init(_ contenders: [Contender], inFlight: Int, rounds: Int) async throws {
    self.contenders = contenders
    var measurements = contenders.map { _ in [Measurement]() }
    for contender in contenders {
      _ = try await Measurement.take(contender.count / 2, inFlight: inFlight, contender.send)
    }
    for round in 0..<rounds {
      // Every second round is reversed, so that no client always runs first or after the same other client.
      let order = Array(contenders.indices)
      for index in round.isMultiple(of: 2) ? order : order.reversed() {
        let contender = contenders[index]
        measurements[index].append(
          try await Measurement.take(contender.count, inFlight: inFlight, contender.send))
      }
    }
    self.measurements = measurements
  }

  func printTable(_ title: String) {
    print("\n\(title)")
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
  }

  /// Returns the median ratio of two contenders' figures over the rounds.
  func ratio(_ index: Int, to peer: Int, _ figure: (Measurement) -> Double) -> String {
    ratios(index, to: peer, figure).median.text()
  }

  /// Returns the median ratio, and the range of the middle half of the rounds.
  func spread(_ index: Int, to peer: Int, _ figure: (Measurement) -> Double) -> String {
    let ratios = ratios(index, to: peer, figure).sorted()
    let (low, high) = (ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
    return "\(ratios.median.text(3)) (half of the rounds: \(low.text(3)) to \(high.text(3)))"
  }

  private func ratios(
    _ index: Int, to peer: Int, _ figure: (Measurement) -> Double
  ) -> [Double] {
    zip(measurements[index], measurements[peer]).map { figure($0) / figure($1) }
  }
}
