// The parts of the C library that Curlew uses. Names are functions or values as Swift imports them from the headers in
// the manual pages: https://developer.apple.com/documentation/kernel and `man 2 stat`, `man 2 open`, `man 2 flock`.

@_exported public import DarwinTypes

// man 2 stat
public func stat(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!) -> Int32 { 0 }
public func lstat(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!) -> Int32 { 0 }
public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { 0 }
public var S_IFMT: mode_t { 0 }
public var S_IFDIR: mode_t { 0 }
public var S_IFREG: mode_t { 0 }
public var S_IFLNK: mode_t { 0 }

// man 2 open: an overlay, because it is variadic.
public func realpath(
  _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! { nil }
public func free(_: UnsafeMutableRawPointer!) {}
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { 0 }
public var O_RDONLY: Int32 { 0 }
public var O_RDWR: Int32 { 0 }
public var O_CREAT: Int32 { 0 }
public var O_EXCL: Int32 { 0 }
public var O_CLOEXEC: Int32 { 0 }
public var O_NOFOLLOW: Int32 { 0 }
public var O_NONBLOCK: Int32 { 0 }

// man 2 flock, rename, link, unlink
@discardableResult public func flock(_: Int32, _: Int32) -> Int32 { 0 }
public var LOCK_EX: Int32 { 0 }
public var LOCK_NB: Int32 { 0 }
public var LOCK_UN: Int32 { 0 }
public func rename(_: UnsafePointer<CChar>!, _: UnsafePointer<CChar>!) -> Int32 { 0 }
public func link(_: UnsafePointer<CChar>!, _: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func unlink(_: UnsafePointer<CChar>!) -> Int32 { 0 }

// man 2 close, fsync, lseek, pread, pwrite, ftruncate
@discardableResult public func close(_: Int32) -> Int32 { 0 }
public func fsync(_: Int32) -> Int32 { 0 }
public func lseek(_: Int32, _: off_t, _: Int32) -> off_t { 0 }
public func pread(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: off_t) -> Int { 0 }
public func pwrite(_: Int32, _: UnsafeRawPointer!, _: Int, _: off_t) -> Int { 0 }
@discardableResult public func ftruncate(_: Int32, _: off_t) -> Int32 { 0 }
public var SEEK_END: Int32 { 0 }

// man 3 dlopen, dlsym
public func dlopen(_: UnsafePointer<CChar>!, _: Int32) -> UnsafeMutableRawPointer! { nil }
public func dlsym(_: UnsafeMutableRawPointer!, _: UnsafePointer<CChar>!) -> UnsafeMutableRawPointer! { nil }
public var RTLD_NOW: Int32 { 0 }

// man 3 inet_pton
public func inet_pton(
  _: Int32, _: UnsafePointer<CChar>!, _: UnsafeMutableRawPointer!
) -> Int32 { 0 }
public var AF_INET: Int32 { 0 }
public var AF_INET6: Int32 { 0 }

// man 2 intro
public var errno: Int32 {
  get { 0 }
  set {}
}
public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>! { nil }
public var EIO: Int32 { 0 }
public var EINTR: Int32 { 0 }
public var EPERM: Int32 { 0 }
public var ENOENT: Int32 { 0 }
public var EACCES: Int32 { 0 }
public var ENOSPC: Int32 { 0 }
public var EEXIST: Int32 { 0 }
public var ENOTDIR: Int32 { 0 }
public var EROFS: Int32 { 0 }
public var EDQUOT: Int32 { 0 }
public var EFBIG: Int32 { 0 }
public var EWOULDBLOCK: Int32 { 0 }
public var ENAMETOOLONG: Int32 { 0 }

// man 3 strtod, string
public func strtod(
  _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> Double { 0 }
public func memchr(_: UnsafeRawPointer!, _: Int32, _: Int) -> UnsafeMutableRawPointer! { nil }
public func memcmp(_: UnsafeRawPointer!, _: UnsafeRawPointer!, _: Int) -> Int32 { 0 }

// man 3 pthread_self, pthread_get_stacksize_np
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_self() -> pthread_t! { nil }

// man 2 read, write, pipe, poll, ioctl: an overlay, because it is variadic
public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int { 0 }
public func write(_: Int32, _: UnsafeRawPointer!, _: Int) -> Int { 0 }
public func pipe(_: UnsafeMutablePointer<Int32>!) -> Int32 { 0 }
@discardableResult public func poll(_: UnsafeMutablePointer<pollfd>!, _: UInt32, _: Int32) -> Int32 { 0 }
public func ioctl(_: Int32, _: UInt, _: UnsafeMutableRawPointer) -> Int32 { 0 }
public func isatty(_: Int32) -> Int32 { 0 }
public var STDIN_FILENO: Int32 { 0 }
public var STDOUT_FILENO: Int32 { 0 }
public var STDERR_FILENO: Int32 { 0 }
public var POLLIN: Int32 { 0 }
public var POLLOUT: Int32 { 0 }
public var TIOCGWINSZ: UInt { 0 }
public var EAGAIN: Int32 { 0 }

// man 3 tcsetattr, cfmakeraw, atexit
public func tcgetattr(_: Int32, _: UnsafeMutablePointer<termios>!) -> Int32 { 0 }
@discardableResult public func tcsetattr(_: Int32, _: Int32, _: UnsafePointer<termios>!) -> Int32 { 0 }
public func cfmakeraw(_: UnsafeMutablePointer<termios>!) {}
public var TCSANOW: Int32 { 0 }
@discardableResult public func atexit(_: @convention(c) () -> Void) -> Int32 { 0 }

// man 3 signal, man 2 sigaction, kill
public typealias sig_t = @convention(c) (Int32) -> Void
@discardableResult public func signal(_: Int32, _: sig_t!) -> sig_t! { nil }
@discardableResult public func sigaction(
  _: Int32, _: UnsafePointer<sigaction>!, _: UnsafeMutablePointer<sigaction>!
) -> Int32 { 0 }
@discardableResult public func kill(_: pid_t, _: Int32) -> Int32 { 0 }
@discardableResult public func raise(_: Int32) -> Int32 { 0 }
public typealias pid_t = Int32
public func getpid() -> pid_t { 0 }
public var SIG_DFL: sig_t? { nil }
public var SIGHUP: Int32 { 1 }
public var SIGINT: Int32 { 2 }
public var SIGILL: Int32 { 4 }
public var SIGTRAP: Int32 { 5 }
public var SIGABRT: Int32 { 6 }
public var SIGFPE: Int32 { 8 }
public var SIGBUS: Int32 { 10 }
public var SIGSEGV: Int32 { 11 }
public var SIGTERM: Int32 { 15 }
public var SIGTSTP: Int32 { 18 }
public var SIGCONT: Int32 { 19 }
public var SIGWINCH: Int32 { 28 }
public var SA_ONSTACK: Int32 { 1 }
public var SA_SIGINFO: Int32 { 64 }
public var SI_USER: Int32 { 0x10001 }
