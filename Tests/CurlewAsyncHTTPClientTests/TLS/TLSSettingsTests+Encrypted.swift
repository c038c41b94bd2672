extension TLSSettingsTests {
  /// A certificate and its key, encrypted with "open sesame" (made with `openssl req -x509`).
  static let encrypted = """
    -----BEGIN CERTIFICATE-----
    MIIBfjCCASWgAwIBAgIUasNm6FfS7UN4vyeTAHlYQYTFHGMwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJZW5jcnlwdGVkMCAXDTI2MTEyMTE1NTU0NloYDzIxMjYxMDI4
    MTU1NTQ2WjAUMRIwEAYDVQQDDAllbmNyeXB0ZWQwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAASzEG5acHi8YN0zF3EdbrWIfkj/ind90c5yagQx6V5/WO1lJgCenZch
    ZrG07Xp57hVYh1+mcEF5gjaqy34vpando1MwUTAdBgNVHQ4EFgQU+XkIagGGjoya
    j8CBDh8jLuGN15owHwYDVR0jBBgwFoAU+XkIagGGjoyaj8CBDh8jLuGN15owDwYD
    VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAmG32eYDdyPkrpmc7dkofE
    DJ2Qw+v2/umlJIzLW4ZJowIgR4/IQJDgmzQFhHo4GOMLYPJeWamYwgyD4vrtD/C8
    bHc=
    -----END CERTIFICATE-----
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHjME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAjsAcoXtyFPbAICCAAw
    DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIzvdgIs2RgAcEgZB0NJCgaPZbL613
    jukyb5h1Oos/ouKonb0obyCQAQN6gPmr1z6Im4eeoxKURYySpHyYw4fR0hKK7E58
    aZ0Yo9T9Q3jnqT6B0cph/Oqp/4x8s2fpK+LQ1j8kgti/4P8qOVPOy+cx+MIoAgLI
    XsRqjDClC3dcVuBTzddBzi7hUcH/JYGrDwz6K22QHp5fkvbalK4=
    -----END ENCRYPTED PRIVATE KEY-----
    """
}
