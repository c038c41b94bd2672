// A separate module, because a Swift module can't declare a type and a function of the same name, unlike C's importer.

public typealias mode_t = UInt16
public typealias nlink_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias off_t = Int64

// man 2 stat
public struct stat: Sendable {
  public var st_dev: dev_t = 0
  public var st_mode: mode_t = 0
  public var st_nlink: nlink_t = 0
  public var st_ino: ino_t = 0
  public var st_size: off_t = 0
  public init() {}
}

// man 4 termios
public typealias tcflag_t = UInt
public struct termios {
  public var c_iflag: tcflag_t = 0
  public var c_oflag: tcflag_t = 0
  public var c_cflag: tcflag_t = 0
  public var c_lflag: tcflag_t = 0
  public init() {}
}

// man 4 tty
public struct winsize {
  public var ws_row: UInt16 = 0
  public var ws_col: UInt16 = 0
  public init() {}
}

// man 2 poll
public struct pollfd {
  public var revents: Int16 = 0
  public init(fd: Int32, events: Int16, revents: Int16) {}
}

// man 2 sigaction
// An imported structure can be an argument of a C function; a Swift structure can't.
public typealias siginfo_t = Int32
extension siginfo_t { public var si_code: Int32 { self } }
public struct __sigaction_handlers {
  public var __sa_sigaction:
    (@convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)!
  public init() {}
}
public struct sigaction {
  public var __sigaction_u = __sigaction_handlers()
  public var sa_flags: Int32 = 0
  public init() {}
}
