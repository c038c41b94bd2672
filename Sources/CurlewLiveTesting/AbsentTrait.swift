// The compiler stops at the first import of a package that was not downloaded. This file's name
// sorts before the files that import such a package, so that its error is reported first.
#if !(Live || Development)
  #error("CurlewLiveTesting needs the trait Live: .package(url: …, traits: [\"Live\"])")
#endif
