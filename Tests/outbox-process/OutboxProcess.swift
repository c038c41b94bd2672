import Curlew
import CurlewScreens
import CurlewStore
import Foundation
import HTTPTypes

/// Performs random actions, and kills itself at a random moment: `outbox-process FOLDER SEED MICROSECONDS`.
///
/// With `0` microseconds it only sends what is left, and exits with 0 when the outbox is empty.
@main
struct OutboxProcess {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seed = UInt64(arguments[2]), let life = UInt32(arguments[3])
    else { exit(2) }
    let folder = URL(filePath: arguments[1])
    // Half of the processes end while they begin; the others have shown an action, however slow the machine is.
    let endSoon = {
      Thread.detachNewThread {
        usleep(life)
        kill(getpid(), SIGKILL)
      }
    }
    if life > 0, seed.isMultiple(of: 2) { endSoon() }
    let server = EffectServer(folder.appending(path: "effects"), seed: life > 0 ? seed : nil)
    var limits = Store.Limits()
    limits.pauses = .milliseconds(1) ... .milliseconds(4)
    (limits.actions, limits.actionsSize) = (1_000_000, .max)
    let store = Store(
      Client(baseURL: "https://example.com") { $0.transport = server }, limits: limits,
      outbox: .file(at: folder.appending(path: "outbox"), actions: [SetStars.self]) { error in
        print("problem: \(error)")
        exit(3)
      })
    let shown = AppendedFile(folder.appending(path: "shown"))
    var number = seed * 1_000
    while life > 0 {
      number += 1
      let (queue, kind) = (Int.random(in: 0..<3), Int.random(in: 0..<3))
      // Numbers that collapse would be actions that are lost.
      let stars = Int(number) * 5 + 2
      guard (try? store.perform(SetStars("process", queue, stars, kind: kind))) != nil else {
        exit(4)
      }
      shown.append("/process/books/\(queue)/\(stars) \(kind)")
      if !seed.isMultiple(of: 2), number == seed * 1_000 + 1 { endSoon() }
      if Bool.random() { usleep(.random(in: 0..<600)) }
    }
    while !store.outbox.value.isEmpty { try? await Task.sleep(for: .milliseconds(2)) }
  }
}

/// A file to which several processes append lines: each is written by one call, so that no signal cuts it.
struct AppendedFile: Sendable {
  private let descriptor: Int32

  init(_ file: URL) { descriptor = open(file.path, O_RDWR | O_CREAT | O_APPEND, 0o600) }

  func append(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count)
  }
}

/// A server in the process that counts effects: a line of a file, which outlives the process.
struct EffectServer: Transport {
  private let file: URL
  private let lines: AppendedFile
  /// Whether requests and responses are lost at random.
  private let isRandom: Bool

  init(_ file: URL, seed: UInt64?) {
    (self.file, isRandom) = (file, seed != nil)
    lines = AppendedFile(file)
  }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let (path, method) = (request.head.path ?? "", request.head.method)
    if method == .get {
      let effects = try String(contentsOf: file, encoding: .utf8)
      let count = effects.split(separator: "\n").filter { $0.hasPrefix("\(path) ") }.count
      return IncomingResponse(
        head: HTTPResponse(status: .ok), body: ResponseBody(Data("\(count)".utf8)))
    }
    let moment = isRandom ? Int.random(in: 0..<10) : 9
    if moment == 0 { throw Client.TransportFailure(.refused, reason: "refused") }
    if moment == 1 { throw Client.TransportFailure(.lost, reason: "lost before") }
    if isRandom { usleep(.random(in: 0..<400)) }
    let key = HTTPField.Name("Idempotency-Key").flatMap { request.head.headerFields[$0] }
    lines.append("\(path) \(key ?? "-")")
    if isRandom { usleep(.random(in: 0..<400)) }
    if moment == 2 { throw Client.TransportFailure(.lost, reason: "lost after") }
    return IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody())
  }
}
