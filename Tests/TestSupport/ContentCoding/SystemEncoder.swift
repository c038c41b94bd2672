import Foundation
import Testing

/// The encoders of the system's libraries of Brotli and Zstandard, loaded at run time: no product needs them.
enum SystemEncoder {
  static func brotli(_ data: Data, _ level: Int32) throws -> Data {
    typealias Compress =
      @convention(c) (
        CInt, CInt, CInt, Int, UnsafePointer<UInt8>?, UnsafeMutablePointer<Int>,
        UnsafeMutablePointer<UInt8>
      ) -> CInt
    let compress = try function("BrotliEncoderCompress", of: "libbrotlienc", as: Compress.self)
    var output = [UInt8](repeating: 0, count: data.count + data.count / 2 + 1_000)
    var size = output.count
    let input = [UInt8](data)
    try #require(compress(level, 22, 0, input.count, input, &size, &output) == 1)
    return Data(output.prefix(size))
  }

  /// One frame with a checksum.
  static func zstandard(_ data: Data, _ level: Int32) throws -> Data {
    typealias Create = @convention(c) () -> OpaquePointer?
    typealias Set = @convention(c) (OpaquePointer?, CInt, CInt) -> Int
    typealias Compress =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>?, Int
      ) -> Int
    typealias Free = @convention(c) (OpaquePointer?) -> Int
    let context = try function("ZSTD_createCCtx", of: "libzstd", as: Create.self)()
    defer { _ = try? function("ZSTD_freeCCtx", of: "libzstd", as: Free.self)(context) }
    let set = try function("ZSTD_CCtx_setParameter", of: "libzstd", as: Set.self)
    // ZSTD_c_compressionLevel and ZSTD_c_checksumFlag.
    _ = (set(context, 100, max(level, 1)), set(context, 201, 1))
    var output = [UInt8](repeating: 0, count: data.count + data.count / 2 + 1_000)
    let input = [UInt8](data)
    let size = try function("ZSTD_compress2", of: "libzstd", as: Compress.self)(
      context, &output, output.count, input, input.count)
    try #require(size <= output.count)
    return Data(output.prefix(size))
  }

  private static func function<Function>(
    _ name: String, of library: String, as type: Function.Type
  ) throws -> Function {
    let handle = dlopen("\(library).so.1", RTLD_NOW) ?? dlopen("\(library).1.dylib", RTLD_NOW)
    let symbol = try #require(handle.flatMap { dlsym($0, name) }, "\(library) is missing")
    return unsafeBitCast(symbol, to: type)
  }
}
