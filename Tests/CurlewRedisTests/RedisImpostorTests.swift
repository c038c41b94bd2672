import CurlewFleet
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import CurlewRedis

/// Something else at the address of Redis: one outage, in which values are local.
@Suite(.timeLimit(.minutes(1)))
struct RedisImpostorTests {
  /// Responds to each read with the same bytes.
  private final class Responder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let response: String

    init(_ response: String) { self.response = response }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      context.writeAndFlush(NIOAny(ByteBuffer(string: response)), promise: nil)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request\r\n\r\n", "-ERR unknown command\r\n", "+OK\r\n",
    String(repeating: "*1\r\n", count: 20),
    "$30000000\r\n" + String(repeating: "x", count: 17 << 20),
  ])
  func `A server that is no Redis is one outage`(_ response: String) async throws {
    let path = "/tmp/curlew-\(UUID().uuidString.prefix(8)).sock"
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Responder(response))
        }
      }
      .bind(unixDomainSocketPath: path).get()
    var options = Fleet.Options()
    options.timeLimit = .seconds(2)
    options.retryInterval = .milliseconds(20)
    let log = Mutex<[FleetEvent]>([])
    let engine = try RedisEngine("unix://\(path)", secret: secret, timeLimit: .seconds(2))
    let fleet = Fleet(engine, options: options) { event in log.withLock { $0.append(event) } }
    #expect(try await fleet.set("key", [1], expires: .seconds(60)).version < 0)
    await eventually { fleet.metrics.failures > 3 }
    #expect(await fleet.value("key").bytes == [1])
    #expect(log.withLock { $0.count } == 1)
    try await server.close()
  }
}
