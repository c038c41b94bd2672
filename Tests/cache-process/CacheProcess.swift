import Curlew
import CurlewSQLite
import Foundation

/// Performs random operations on a cache's file until it is killed, or has performed all: `cache-process FILE SEED
/// OPERATIONS BYTES`.
///
/// `cache-process FILE` removes all entries, and prints how many are left.
///
/// It prints "ready" as soon as it has stored a response, each problem, and at the end the operations' counts.
@main
struct CacheProcess {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.count == 2 { return await removeAll(URL(filePath: arguments[1])) }
    guard arguments.count == 5, let seed = UInt64(arguments[2]), let operations = Int(arguments[3]),
      let bytes = Int(arguments[4])
    else { return fail("usage: cache-process FILE SEED OPERATIONS BYTES") }
    let storage = storage(URL(filePath: arguments[1]), bytes: bytes)
    var load = CacheLoad(storage, seed: seed)
    var isReady = false
    for _ in 0..<operations {
      if let fault = await load.step() { return fail("wrong: \(fault)") }
      guard !isReady, load.counts["stored"] != nil else { continue }
      print("ready: 1")
      fflush(nil)
      isReady = true
    }
    print("done: \(load.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
  }

  private static func storage(_ file: URL, bytes: Int) -> SQLiteCacheStorage {
    SQLiteCacheStorage(
      at: file, bytes: bytes,
      report: { problem in
        print("problem: \(problem)")
        fflush(nil)
      })
  }

  private static func removeAll(_ file: URL) async {
    let storage = storage(file, bytes: 64_000_000)
    await storage.removeAll()
    print("left: \(await storage.contents().count)")
  }

  private static func fail(_ text: String) {
    print(text)
    exit(1)
  }
}
