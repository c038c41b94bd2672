package import HTTPTypes
public import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypesHTTP1

extension HTTPServerBuilder {
  /// Returns the server for live pages: HTTP/1.1 with limits for clients, and with compressed responses.
  ///
  /// ```swift
  /// let application = Application(router: router, server: .live(hosts: ["birds.example"]))
  /// ```
  /// - Parameters:
  ///   - limits: The limits on connections, and the time limits for clients.
  ///   - hosts: The host names under which browsers reach the server, without ports; `nil` for any name. Requests for
  ///     other names are refused (421, RFC 9110 section 15.5.20), so that another site's name can't be used to reach
  ///     this server; without names, only requests with a missing or malformed Host field are refused (400).
  ///   - proxies: The proxies that are trusted to report a client's address.
  ///   - configuration: The configuration of Hummingbird's HTTP/1.1 channel.
  public static func live(
    limits: LiveServerLimits = LiveServerLimits(), hosts: [String]? = nil,
    proxies: TrustedProxies = .none, configuration: HTTP1Channel.Configuration = .init()
  ) -> HTTPServerBuilder {
    let connections = LiveConnections(limits: limits, hosts: hosts, proxies: proxies)
    return HTTPServerBuilder {
      LiveChannel(responder: $0, connections: connections, configuration: configuration)
    }
  }
}

/// A connection that enforces the limits of its server, and compresses responses with gzip if the client accepts it.
///
/// Text of 500 bytes to 4 MB is compressed (HTML, CSS, JavaScript, JSON, SVG and plain text), with
/// `Vary: Accept-Encoding`. Event streams (`text/event-stream`) are compressed, too: each event separately, so that it
/// can be decompressed as soon as it arrives, and an idle stream takes no memory for compression. Other streams of
/// unknown length are not compressed, because each part would have to be flushed; neither are responses with a
/// `Content-Encoding`, a range, a digest or `Cache-Control: no-transform`. A strong entity tag of a compressed response
/// becomes weak.
///
/// Compression reveals a secret to an attacker who can cause many requests for a page with a chosen text in it, and
/// sees the length of each encrypted response (BREACH): a response is shorter when the text occurs elsewhere in the
/// page. The page's own secret, the session's identifier, is safe, because it is random and new in each document. A
/// secret of the application that is the same in many responses is not safe if the same page also shows a part of its
/// address, such as a search text: send such pages and their streams with `Cache-Control: no-transform`. Each event is
/// compressed separately, so its length reveals nothing about text that it shares with other events. Cookies with
/// `SameSite=Strict` keep other sites from requesting pages as the user.
package struct LiveChannel: ServerChildChannel {
  /// The connection's requests and responses.
  package typealias Value = HTTP1Channel.Value

  /// The properties of a connection that the tasks for its requests need.
  ///
  /// It does not contain the connection itself, which tasks that outlive the connection would retain.
  package struct Peer {
    let end: EventLoopFuture<Void>
    /// The address of the peer; `nil` for a socket without an address.
    let address: IPAddress?
    let proxies: TrustedProxies

    package init(
      end: EventLoopFuture<Void>, address: IPAddress?, proxies: TrustedProxies = .none
    ) {
      (self.end, self.address, self.proxies) = (end, address, proxies)
    }

    /// Whether the peer is on this machine.
    var isLocal: Bool { address?.isLoopback ?? false }

    /// Returns the address by which a request's client is counted; `nil` if the client is not limited.
    package func client(of fields: HTTPFields) -> IPAddress? {
      proxies.limited(source(of: fields))
    }

    /// Returns the address of a request's client; `nil` for a socket without an address.
    func source(of fields: HTTPFields) -> IPAddress? {
      address.map { address in
        proxies.client(from: address) { HTTPField.Name($0).map { fields[values: $0] } ?? [] }
      }
    }
  }

  @TaskLocal package static var peer: Peer?

  private let connection: HTTP1Channel
  private let connections: LiveConnections

  init(
    responder: @escaping HTTPChannelHandler.Responder, connections: LiveConnections,
    configuration: HTTP1Channel.Configuration
  ) {
    connection = HTTP1Channel(responder: responder, configuration: configuration)
    self.connections = connections
  }

  /// Adds the handlers of a connection to its pipeline.
  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    connection.setup(channel: channel, logger: logger).flatMapThrowing { [connections] value in
      // A connection retains its last read buffer, so buffers start small and grow when there is more to read.
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536))
      let pipeline = channel.pipeline.syncOperations
      // Placed between HTTP on the wire and Hummingbird's types, because the compressor handles only the wire format.
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(ConnectionHandler(connections), position: .before(codec))
      try pipeline.addHandler(CompressionHandler(), position: .before(codec))
      return value
    }
  }

  /// Responds to the requests of a connection until it ends.
  @concurrent
  package func handle(value: Value, logger: Logger) async {
    let peer = Peer(
      end: value.channel.closeFuture,
      address: value.channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) },
      proxies: connections.proxies)
    await Self.$peer.withValue(peer) {
      await connection.handle(value: value, logger: logger)
    }
  }
}
