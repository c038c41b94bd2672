import Foundation
import HTTPTypes
import Synchronization

/// A look-alike of api.github.com: repositories and their issues, read only.
final class GitHub: Site {
  private struct State {
    var limiter = RateLimiter()
    var shelves: [Int: Shelf] = [:]
  }

  /// The instant from which the ages of all data count back.
  let anchor: Date
  private let state = Mutex(State())

  init(anchor: Date) { self.anchor = anchor }

  func answer(_ inquiry: Inquiry) -> Answer {
    guard inquiry.headers[.userAgent]?.isEmpty == false else { return .withoutUserAgent }
    guard inquiry.size <= 8_192 else { return .tooLong }
    var reading = inquiry.rateLimit.map { limit in
      state.withLock { $0.limiter.take(limit: limit, at: inquiry.now) }
    }
    var answer: Answer
    if let reading, reading.isOver {
      answer = .overLimit(wait: reading.wait)
    } else if inquiry.fails {
      answer = .serverError
    } else {
      answer = route(inquiry).revalidated(against: inquiry.headers[.ifNoneMatch])
    }
    if answer.status == .notModified {
      state.withLock { $0.limiter.giveBack() }
      reading?.used -= 1
    }
    if let reading { answer.headers.append(reading) }
    answer.headers[.mediaType] = "github.v3; format=json"
    return answer
  }

  /// A repository's issues, made when they are first asked for.
  func shelf(of repository: Repository, home: String) -> Shelf {
    state.withLock { state in
      if let shelf = state.shelves[repository.id] { return shelf }
      let shelf = Shelf(of: repository, anchor: anchor, home: home)
      state.shelves[repository.id] = shelf
      return shelf
    }
  }
}

extension HTTPFields {
  fileprivate mutating func append(_ reading: RateLimiter.Reading) {
    self[.rateLimit] = String(reading.limit)
    self[.rateRemaining] = String(reading.remaining)
    self[.rateUsed] = String(reading.used)
    self[.rateReset] = String(reading.reset)
    self[.rateResource] = "core"
  }
}

extension HTTPField.Name {
  fileprivate static let mediaType = Self("X-GitHub-Media-Type")!
  fileprivate static let rateLimit = Self("X-RateLimit-Limit")!
  fileprivate static let rateRemaining = Self("X-RateLimit-Remaining")!
  fileprivate static let rateUsed = Self("X-RateLimit-Used")!
  fileprivate static let rateReset = Self("X-RateLimit-Reset")!
  fileprivate static let rateResource = Self("X-RateLimit-Resource")!
}
