/// A streaming decompressor of the system: zlib, Brotli or Zstandard.
///
/// Buffers are only accessed during a call. It must not be used concurrently.
protocol Decompressor: AnyObject {
  /// Decompresses as much as the input and the space in the output allow.
  ///
  /// A step that reads and writes nothing needs more input, or more space if there is none.
  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(Inflater.DataError) -> Inflater.Step

  /// Returns whether data that begins with a byte may follow the end, and prepares for it.
  func continues(with first: UInt8) -> Bool
}

#if canImport(CCurlewBrotli)
  import CCurlewBrotli

  /// Decompresses Brotli (RFC 7932), whose window has at most 16 MiB.
  final class BrotliDecompressor: Decompressor {
    private let state: OpaquePointer

    init() throws(Inflater.DataError) {
      guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
        throw Inflater.DataError(reason: "Brotli can't be initialized")
      }
      self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decompress(
      _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Inflater.DataError) -> Inflater.Step {
      var (readable, writable) = (input.count, output.count)
      var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      var target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let result = BrotliDecoderDecompressStream(state, &readable, &next, &writable, &target, nil)
      guard result != BROTLI_DECODER_RESULT_ERROR else {
        let text = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)).map {
          String(cString: $0)
        }
        throw Inflater.DataError(reason: text ?? "Brotli error")
      }
      var step = Inflater.Step()
      (step.read, step.written) = (input.count - readable, output.count - writable)
      step.isAtEnd = result == BROTLI_DECODER_RESULT_SUCCESS
      return step
    }

    func continues(with first: UInt8) -> Bool { false }
  }
#endif

#if canImport(CCurlewZstandard)
  import CCurlewZstandard

  /// Decompresses Zstandard (RFC 8878), whose window has at most 8 MiB (RFC 9659).
  final class ZstandardDecompressor: Decompressor {
    private let stream: OpaquePointer

    init() throws(Inflater.DataError) {
      guard let stream = ZSTD_createDStream() else {
        throw Inflater.DataError(reason: "Zstandard can't be initialized")
      }
      self.stream = stream
      ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23)
    }

    deinit { ZSTD_freeDStream(stream) }

    func decompress(
      _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Inflater.DataError) -> Inflater.Step {
      var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let result = ZSTD_decompressStream(stream, &target, &source)
      guard ZSTD_isError(result) == 0 else {
        throw Inflater.DataError(reason: String(cString: ZSTD_getErrorName(result)))
      }
      var step = Inflater.Step()
      (step.read, step.written, step.isAtEnd) = (source.pos, target.pos, result == 0)
      return step
    }

    /// Another frame, or a frame to skip, begins (RFC 8878 sections 3.1.1 and 3.1.2).
    func continues(with first: UInt8) -> Bool { first == 0x28 || 0x50...0x5F ~= first }
  }
#endif
