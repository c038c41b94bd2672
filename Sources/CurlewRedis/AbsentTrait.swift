// The compiler stops at the first import of a package that was not downloaded. The name of this file sorts before the
// files with such imports, so that this error is reported first.
#if !(Redis || Development)
  #error("CurlewRedis needs its trait: .package(url: …, traits: [\"Redis\"])")
#endif
