// error: value of type 'URL' has no member 'abosluteString'
import Foundation

func text(of url: URL) -> String { url.abosluteString }
