package import HTTPTypes
public import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypesHTTP1

extension HTTPServerBuilder {
  /// Returns the server for live pages: HTTP/1.1 with limits on its clients, and with compressed
  /// responses.
  ///
  /// ```swift
  /// let application = Application(router: router, server: .live(hosts: ["birds.example"]))
  /// ```
  /// - Parameters:
  ///   - limits: The limits on connections, and on the time that a client takes.
  ///   - hosts: The names under which browsers reach the server, without ports; `nil` for any.
  ///     Requests for other names are refused (421, RFC 9110 section 15.5.20), so that no other
  ///     site's name can lead here; without names, only those whose Host field is missing or
  ///     malformed are (400).
  ///   - proxies: The proxies whose word about a client's address is trusted.
  ///   - configuration: What else Hummingbird has to configure.
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

/// A connection within the limits of its server, whose responses are compressed with gzip if the
/// client accepts it.
///
/// Text is compressed: HTML, CSS, JavaScript, JSON, SVG and plain text of 500 bytes to 4 MB, with
/// `Vary: Accept-Encoding`. So are streams of events (`text/event-stream`): each event by itself, so
/// that it can be read as soon as it arrives, and an idle stream takes no memory for it. Other streams of
/// unknown length are not, because each piece would have to be flushed; neither are responses with a
/// `Content-Encoding`, parts and hashes of content, and responses with `Cache-Control: no-transform`. A
/// strong entity tag of a compressed response becomes weak.
///
/// Compression reveals a secret to an attacker who can have a page requested many times with a text
/// of their choice in it, and sees how long each encrypted response is (BREACH): the response is
/// shorter when the text occurs in the page. The page's own secret, the session's identifier, can't
/// be found like this, because it is random and new in each document. A secret of the application
/// that is the same in many responses can be, if the same page also shows something out of its
/// address, as pages with a search do: send such pages and their streams with `Cache-Control:
/// no-transform`. An event is compressed by itself, so its length says nothing about what it has in
/// common with others. Cookies with `SameSite=Strict` keep other sites from requesting pages as the
/// user.
package struct LiveChannel: ServerChildChannel {
  /// The connection's requests and responses.
  package typealias Value = HTTP1Channel.Value

  /// What a task needs to know of the connection whose request it responds to.
  ///
  /// Not the connection itself, which tasks would keep that outlive it.
  package struct Peer {
    let end: EventLoopFuture<Void>
    /// Where it comes from; `nil` for a socket without an address.
    let address: IPAddress?
    let proxies: TrustedProxies

    package init(
      end: EventLoopFuture<Void>, address: IPAddress?, proxies: TrustedProxies = .none
    ) {
      (self.end, self.address, self.proxies) = (end, address, proxies)
    }

    /// Whether it comes from this machine.
    var isLocal: Bool { address?.isLoopback ?? false }

    /// Returns what the client of a request is counted as; `nil` when it is not limited.
    package func client(of fields: HTTPFields) -> IPAddress? {
      proxies.limited(
        address.map { address in
          proxies.client(from: address) { HTTPField.Name($0).map { fields[values: $0] } ?? [] }
        })
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
      // A connection keeps the buffer that it was last read into; a larger one when there is more.
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536))
      let pipeline = channel.pipeline.syncOperations
      // Between HTTP on the wire and Hummingbird's types, since the compressor knows only the former.
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
