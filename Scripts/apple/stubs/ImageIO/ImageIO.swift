public import Foundation

// https://developer.apple.com/documentation/imageio/cgimagesource. CFData is stubbed as in Security.
public final class CGImageSource {}
public func CGImageSourceCreateWithData(_ data: Data, _ options: [String: Any]?) -> CGImageSource? { nil }
public func CGImageSourceCreateImageAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: [String: Any]?
) -> CGImage? { nil }
