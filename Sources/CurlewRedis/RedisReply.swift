import CCurlewRedis
import CurlewFleet
import NIOCore

/// A reply of Redis (RESP2).
enum RedisReply: Sendable, Equatable {
  case string([UInt8])
  case integer(Int64)
  case null
  case error(String)
  indirect case array([RedisReply])

  var text: String? {
    switch self {
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// The number, which scripts return as a text: an integer of Lua has fewer digits.
  var number: Int64? { text.flatMap { Int64($0) } }

  var elements: [RedisReply] { if case .array(let elements) = self { elements } else { [] } }
}

extension RedisReply {
  fileprivate init(_ reply: redisReply) throws(FleetError) {
    let bytes = UnsafeRawBufferPointer(
      start: reply.str, count: reply.str == nil ? 0 : Int(reply.len))
    switch reply.type {
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .string(Array(bytes))
    case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
    case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
    case REDIS_REPLY_NIL: self = .null
    case REDIS_REPLY_ARRAY:
      var elements: [RedisReply] = []
      for element in UnsafeBufferPointer(start: reply.element, count: Int(reply.elements)) {
        guard let element else { throw .unreachable("A reply of Redis has an empty element.") }
        elements.append(try RedisReply(element.pointee))
      }
      self = .array(elements)
    default: throw .unreachable("A reply of Redis has an unknown type.")
    }
  }
}

/// Hiredis' parser of replies, which arrive in pieces; an error ends it.
final class RedisDecoder {
  /// The maximum size of a reply in bytes.
  static let maxSize = 16 << 20

  private let reader = redisReaderCreate()
  /// The size of the reply so far.
  private var size = 0

  deinit { redisReaderFree(reader) }

  /// Returns the replies that are complete now.
  func decode(_ bytes: ByteBuffer) throws(FleetError) -> [RedisReply] {
    guard let reader else { throw .unreachable("There is no memory for a reply of Redis.") }
    var replies: [RedisReply] = []
    size += bytes.readableBytes
    bytes.withUnsafeReadableBytes { bytes in
      let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      _ = redisReaderFeed(reader, start, bytes.count)
    }
    while true {
      var reply: UnsafeMutableRawPointer?
      guard redisReaderGetReply(reader, &reply) == REDIS_OK else {
        throw .unreachable("A reply of Redis is not of its protocol, or nested too deeply.")
      }
      guard let reply else { break }
      defer { freeReplyObject(reply) }
      replies.append(try RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee))
      size = Int(reader.pointee.len) - Int(reader.pointee.pos)
    }
    guard size <= Self.maxSize else {
      throw .unreachable("A reply of Redis is larger than \(Self.maxSize >> 20) MiB.")
    }
    return replies
  }
}

/// A command with the promise of its reply.
struct RedisCommand: Sendable {
  /// The command in Redis' protocol.
  let bytes: ByteBuffer
  let promise: EventLoopPromise<RedisReply>

  init(_ arguments: [[UInt8]], _ promise: EventLoopPromise<RedisReply>) {
    self.promise = promise
    var lengths = arguments.map(\.count)
    // One buffer, because the pointers have to be valid together.
    let all = arguments.flatMap { $0 }.map { CChar(bitPattern: $0) } + [0]
    bytes = all.withUnsafeBufferPointer { all in
      var start = all.baseAddress
      var pointers = lengths.map { length -> UnsafePointer<CChar>? in
        defer { start = start?.advanced(by: length) }
        return start
      }
      var command: UnsafeMutablePointer<CChar>?
      let count = redisFormatCommandArgv(&command, Int32(lengths.count), &pointers, &lengths)
      defer { redisFreeCommand(command) }
      return ByteBuffer(bytes: UnsafeRawBufferPointer(start: command, count: max(0, Int(count))))
    }
  }
}
