/// A middleware that ends when `next` does: while it waits for something else, it does so with
/// ``OutgoingRequest/wait(for:)``.
///
/// With any other middleware each request gets a task of its own, which a limit of time can cancel;
/// that costs a tenth of a short request. Conform where a middleware waits for nothing, as one does
/// that only changes header fields.
public protocol PunctualMiddleware: Middleware {}

/// A middleware that stands at the network's side of redirects: it sees each request of a chain of
/// them, on its way to its host.
public protocol HopMiddleware: PunctualMiddleware {}
