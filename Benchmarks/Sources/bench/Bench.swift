/// Measures Curlew beside its peers and prints ratios; asserts nothing.
///
/// `bench [clients|screens] [rounds]`
@main
struct Bench {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let rounds = arguments.lazy.compactMap(Int.init).first.map { max(1, $0) } ?? 7
    if !arguments.contains("clients") { await ScreenBenchmark.run() }
    if !arguments.contains("screens") { try await ClientBenchmark.run(rounds: rounds) }
  }
}
