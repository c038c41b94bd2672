// The compiler stops at the first import of a package that was not downloaded. This file's name
// sorts before those that import one, so that its error comes first.
#if !(Digest || Development)
  #error("CurlewDigest needs its trait: .package(url: …, traits: [\"Digest\"])")
#endif
