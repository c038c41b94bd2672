/// Compares Curlew with other libraries and prints ratios, without assertions.
///
/// `bench [screens] [clients] [pages] [json] [middlewares] [observers] [streams] [cache] [store] [fleet] [live] [attacks]
/// [rounds]` runs the named parts, or all parts. For profilers, `bench send raw|curlew|chain COUNT IN-FLIGHT PORT` only
/// sends requests, and `bench events search|row COUNT` only sends events to screens.
@main
struct Bench {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "transfer" { return try await Transfer.run(arguments.dropFirst()) }
    if arguments.first == "events" { return ScreenBenchmark.events(arguments.dropFirst()) }
    if arguments.first == "send" { return try await ClientBenchmark.send(arguments.dropFirst()) }
    if arguments.first == "live-server" {
      return try await LiveServer.run(isDefault: arguments.contains("default"))
    }
    if arguments.first == "memory" { return try DecodingMemory.runInChild(arguments.dropFirst()) }
    let rounds = arguments.lazy.compactMap(Int.init).first.map { max(1, $0) } ?? 7
    let parts = arguments.filter { Int($0) == nil }
    func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
    if isWanted("screens") { await ScreenBenchmark.run() }
    if isWanted("clients") { try await ClientBenchmark.run(rounds: rounds) }
    if isWanted("pages") { try await PageBenchmark.run(rounds: rounds) }
    if isWanted("json") { try await JSONBenchmark.run(rounds: max(rounds, 11)) }
    if isWanted("middlewares") { try await MiddlewareBenchmark.run(rounds: rounds) }
    if isWanted("observers") { try await ObserverBenchmark.run(rounds: max(rounds, 11)) }
    if isWanted("streams") { try await StreamBenchmark.run(rounds: rounds) }
    if isWanted("store") { try await StoreBenchmark.run() }
    if isWanted("cache") { try await CacheBenchmark.run(rounds: rounds) }
    if isWanted("fleet") { try await FleetBenchmark.run() }
    if isWanted("live") { try await LiveBenchmark.run() }
    if isWanted("attacks") { try await LiveBenchmark.printAttacks() }
  }
}
