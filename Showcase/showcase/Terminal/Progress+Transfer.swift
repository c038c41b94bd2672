import Curlew
import Foundation

extension Progress {
  /// Shows how much of a file there is, how fast it comes, and when it will be there.
  func show(_ transfer: TransferProgress) {
    let size = transfer.completed.bytes
    var texts = [transfer.total.map { "\(size) of \($0.bytes)" } ?? size]
    if let rate = transfer.bytesPerSecond, rate.isFinite, rate >= 0 {
      texts.append("\(Int64(min(rate, 1e15)).bytes)/s")
    }
    if let left = transfer.timeLeft, left < .seconds(86_400) {
      texts.append("\(Int(left.components.seconds).timeLeft) left")
    }
    let part = transfer.total.map { (Int(transfer.completed), Int($0)) }
    show(texts.joined(separator: ", ") + " – \(noun)", part: part)
  }
}

extension Int64 {
  /// A size in decimal units: `999 bytes`, `1.5 kB`, `300 MB`.
  var bytes: String {
    guard self >= 1_000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    var (size, unit) = (Double(self) / 1_000, "kB")
    for larger in ["MB", "GB", "TB"] where size >= 999.5 { (size, unit) = (size / 1_000, larger) }
    return String(format: size < 99.95 ? "%.1f" : "%.0f", size) + " \(unit)"
  }
}
