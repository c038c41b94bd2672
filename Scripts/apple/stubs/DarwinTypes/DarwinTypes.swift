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
