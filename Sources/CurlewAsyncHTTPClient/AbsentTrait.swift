// The compiler stops at the first import of a package that was not downloaded. This file's name
// sorts before the files with such imports, so that its error is reported first.
#if !(AsyncHTTPClient || Development)
  #error("CurlewAsyncHTTPClient needs its trait: .package(url: …, traits: [\"AsyncHTTPClient\"])")
#endif
