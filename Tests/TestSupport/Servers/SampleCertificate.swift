// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Crypto
public import Foundation

/// Certificates made by OpenSSL, with the pins that it computes:
/// `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`.
public enum SampleCertificate: String, CaseIterable, Sendable {
  case p256, p384, rsa2048, rsa3072, rsa4096, ed25519
  /// A certificate of version 1 (X.509), which has no version field.
  case v1

  public var pin: String {
    switch self {
    case .p256: "sha256/eh2qocBO2+IISgkdywAfFf37H7UZ4ZthW53RUIadYjI="
    case .p384: "sha256/IX9pfbu80BdCLC658mZDgHopMKionNzjML+lrCsYR1Q="
    case .rsa2048: "sha256/ZRYT85NpIbBEGOBIhWwYlNtlT84aiI/bJV2eJ6Q4fJg="
    case .rsa3072: "sha256/fl65mm1s4G9wMLjL/KNjka3ZsgHoTFtiMr8T0jkDHW8="
    case .rsa4096: "sha256/sVC4XCMvljfpyOIlf2kkAKGgvlNGa8wTl9zLvfH9bds="
    case .ed25519: "sha256/n2EoznbzfWJbJZCQ18CJFkuHGRRBGH2fyHEfGqfsWeA="
    case .v1: "sha256/8m1AQOjGaVR+e+w696fYkOE7AUqkSFrlTTQzfzXhDnY="
    }
  }

  public var pem: String {
    switch self {
    case .p256:
      """
      -----BEGIN CERTIFICATE-----
      MIIBdDCCARmgAwIBAgIUAso30Wj6afbE8vlWa02PdzMhHuIwCgYIKoZIzj0EAwIw
      DzENMAsGA1UEAwwEcDI1NjAeFw0yNjExMjYxNzU0MThaFw0zNjExMjMxNzU0MTha
      MA8xDTALBgNVBAMMBHAyNTYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARf4SVW
      f6NLWAQaJlHn0TU0ZlEFdDaKOVr6dcpj89kowurKmbU2QMiwzAZ7u/wgxSlfCMns
      SyeNcokk36xADcplo1MwUTAdBgNVHQ4EFgQU0fLqz/gypIb6M69B37BNlxAKi1gw
      HwYDVR0jBBgwFoAU0fLqz/gypIb6M69B37BNlxAKi1gwDwYDVR0TAQH/BAUwAwEB
      /zAKBggqhkjOPQQDAgNJADBGAiEAwhQV5u5F5pFQRIEox3R4YF4S1Klx+LEZbODh
      Qs/ijVMCIQCw3HiArYb0oVMxazfZoQZvAEDgIKK9gO2mEWEc8QnONA==
      -----END CERTIFICATE-----
      """
    case .p384:
      """
      -----BEGIN CERTIFICATE-----
      MIIBsDCCATagAwIBAgIUPFCILx41yc+MRUypUTc60CqXnsAwCgYIKoZIzj0EAwIw
      DzENMAsGA1UEAwwEcDM4NDAeFw0yNjExMjYxNzU0MThaFw0zNjExMjMxNzU0MTha
      MA8xDTALBgNVBAMMBHAzODQwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAARI/KpKTe+J
      RkzP+yTjA3qhZQmNJRSqSPBtGFA6PNr+sO/HsW3NagzWjlwpWJ9ih2r+mNMU3LOl
      9isuLCd8VS00xqDrBwkOtAeSEvusO/2qiM5OJsxvht9IGHr/ukAA5JGjUzBRMB0G
      A1UdDgQWBBShSDeL8j0cuZdg72xp/FxfLc7KxjAfBgNVHSMEGDAWgBShSDeL8j0c
      uZdg72xp/FxfLc7KxjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA2gAMGUC
      MQDWbczvQi9ehlrx9VxLA/pCVQfENsKMKdQPTk6dWShUe8JRTz7xo4czZM0SEmc5
      w7gCMEfSspwIc8PHBwEYMbRR+Sejpvaw1P1OsIH3ePiPm0/kPw2ACZGgkHYnmO06
      iAFG7Q==
      -----END CERTIFICATE-----
      """
    case .rsa2048:
      """
      -----BEGIN CERTIFICATE-----
      MIIDBTCCAe2gAwIBAgIUH4BHxf+cGfc/IIiuTEKTB8VkPNgwDQYJKoZIhvcNAQEL
      BQAwEjEQMA4GA1UEAwwHcnNhMjA0ODAeFw0yNjExMjYxNzU0MTlaFw0zNjExMjMx
      NzU0MTlaMBIxEDAOBgNVBAMMB3JzYTIwNDgwggEiMA0GCSqGSIb3DQEBAQUAA4IB
      DwAwggEKAoIBAQC/UIYZAxIhsa5FVuqT0vQftWRVpjDkcojLLvQ9rE61JgWZbmym
      a7xsn/ZcMhy1sJ7bR8o6o+Zj26WWRD7taCpifacryUYoikUSVkatwhfZ24pYQTOh
      9wyJa55/wZ69MR2ikwaG5y+kNKczcjZuHuf7L5h6vPc15J3jI60xuSdkTtCPH5bY
      vBwn24vPgm66rUNsCAUidLTgvTCz937r/IWuvyE1rqTB0rnovnT+ow14yrMLVT1u
      0TmMrS9Lou3CLyq3oGG0PnpI8HWQuU/ghIMx1tdBdVSZhxoWIj2se+EbGV5IPDJG
      wawEfieYoj2VmxLm+0fJ7VVhl5oTyofxUqGFAgMBAAGjUzBRMB0GA1UdDgQWBBSq
      0UaN64qqiHZVMp6itYLxbFhjuzAfBgNVHSMEGDAWgBSq0UaN64qqiHZVMp6itYLx
      bFhjuzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBPyVYbIuY8
      mGhIdwdeYh8rd6568ZWNcvLf+8l3+xk0D7rBtCncvRZDOO+FTe/HZHZtW4TzKCTe
      NS2lYRBxjEIZF2fQ1Go0WtF1UyVmyvaIvW3FRCd0bBBbSxoRr+uhZOD6xYqsIXPr
      D9gNCiid55RyoT1rGG9U20wIcUK4nONRK4ifU+JMXiql0G0yenY0PL3h0ThaCnDn
      5SR5da5hF6qijC+JApJYLdZkgRoWwOWyzAOmRH7LFC+y0sMPY9+Z9JERVCGORMA4
      nCA355TGzpvWewp4QtOdhSjae4+aaK1rReXd0yhZtbvAFmw1YE6y9lrCuCnId7lg
      MWpBGpU5bN1t
      -----END CERTIFICATE-----
      """
    case .rsa3072:
      """
      -----BEGIN CERTIFICATE-----
      MIIEBTCCAm2gAwIBAgIUH03bbnInmQpB6D3aRSIDom32M3YwDQYJKoZIhvcNAQEL
      BQAwEjEQMA4GA1UEAwwHcnNhMzA3MjAeFw0yNjExMjYxNzU0MjJaFw0zNjExMjMx
      NzU0MjJaMBIxEDAOBgNVBAMMB3JzYTMwNzIwggGiMA0GCSqGSIb3DQEBAQUAA4IB
      jwAwggGKAoIBgQCvInduxdcOYJ9L9ksrP88zvPeSUBnvzDijsRYWCL/j51aYqahD
      wE12By+tiymu6CfpldHZI3Fh8R68WIslMdj7h10DOK9CCoDbexrQ9PigBFW9As9s
      y7FS8kJjgNiZulhYjQmR1Bqe1tg4wv4RAxSeTqj1jE/X2TpLp0Vh8JDjpVYWYUM0
      88TIF6w/zJSivcjtqZeC5GM9SJMU8YrmFDWCsjgUtu/wCGKV2m9gOQfXs/UglVN0
      oJvoXceroejNH6LBY5+XzTYoNhP4bruIjpAhBUDUnDaxu2iLd47/JOCZlykzuFUH
      vfE3dWTfTOapoS0U93LxW4GDCsDgpXg/HLlGQwPo1m3QxzfdTWZRPrkOdSoBsCfw
      NI4nN4GmIucvoQ5K1RRG6n4Y/vcojVk85e5S37JCM5YRXF6faHr7VS8K5sFVUu0j
      0BITCJjP7wsO1isN8bokzyDV1zWelDRz+tcE/Omyxi68QU3TmXXDboPqR8YsfnYM
      E4olTtS7nkpKCxMCAwEAAaNTMFEwHQYDVR0OBBYEFKqa0vZkmUdE/wqdXuWmXLiE
      6CM/MB8GA1UdIwQYMBaAFKqa0vZkmUdE/wqdXuWmXLiE6CM/MA8GA1UdEwEB/wQF
      MAMBAf8wDQYJKoZIhvcNAQELBQADggGBAHa6ibvCrmdOeIP4TngynNNwToSa2x/V
      pXP6fazb4R3izi/KmITkfumJkKeinYlVqci3WqCMGLMmakyUBcQhRAJVK2K6gB0r
      sj8627ydZIiw49p4rReud33GkTKW3zBzSGRvZw9JqHd7wVnig2J8aNQuyFbil81X
      70Lq+7U/ElDGWm2jJ52rvH1b3sEdHJMQ7HiXSQJwHjJmf6wlXWDyvMqXGNEvZ0k0
      kY7onqtT6CSpEngAtAU8kqzPOcMtiGqksQKPwboV6iupE0ZPbvMK67cKmeomNWld
      ojr2A29K2znMhs6+mYfkRNlAyfxmVO2eCnh2LUTay7MECSsI0LGOtpXAsrHKaJ5B
      sAS2KmZyFlt540xvFgp75wqF1YtJWDtpKK3vx8AaQPWLi0x/iJ3uKpnHJhV3cPYw
      4cMC8MiMSBKlYDRf3c/Q7wSKpQnoji4ubBMEYzgRru/9wXUcjvCelAn10fXe+WH/
      jUkqDNXV7m/wpestEHIwMGy+GuvdTEIixg==
      -----END CERTIFICATE-----
      """
    case .rsa4096:
      """
      -----BEGIN CERTIFICATE-----
      MIIFBTCCAu2gAwIBAgIUMcKcBEA84IYLwR9hMrrxsnq5im8wDQYJKoZIhvcNAQEL
      BQAwEjEQMA4GA1UEAwwHcnNhNDA5NjAeFw0yNjExMjYxNzU0MjVaFw0zNjExMjMx
      NzU0MjVaMBIxEDAOBgNVBAMMB3JzYTQwOTYwggIiMA0GCSqGSIb3DQEBAQUAA4IC
      DwAwggIKAoICAQCZsVylzBdPga2tUDhN/VdtrZgI6QzS5yWmYyLaQEjElbW2jESa
      W3J1cMvO4tGO/iBShHhKM4esZJCNhUw4OLGhK2A+mTh7cnDmmnyyg2Prj0IywWZ+
      igrXHEsrR3wWPTj3uF37bsVKnQp8hT9eVHHJUhMHum0/oCObnkr+WjiYNNFWErFI
      tIMi69nNoZ4DKAYNo11wqqTmmaqT+4W/6fE8NmBWZJcQwcw3eKj8MUvyZ8D/iCtB
      /2/KRXEhC9DX/6ffB5A9ph8q+BsO8oerJ8jW1foav6gNjJmK7vMurMxTn2auVlm3
      wqpySGe7SNCtwjuhlvSJcAKA8u7102pAj70AnyDJ7azZHNxQHpZL5CPrlH1odwNY
      9eAeq6zMYTv+mWczuUDfkqGmOaxQ/OAWwHHs5XkAUWfkC3+eAKnwkZZ39wCvZEID
      t+Gp1LX8jn1B7UMRNkg59NyQTnsSAYljWmAK4ajyd1MaDPDB11DrGty/O5R+FFHX
      L6qsNzEUIwrHMJ4EfXMG/sN9RVUQrv2HKj4FLrvrXGLNkwSDVjG42f9kvHUyBAtl
      WjKRBX9Pebm0Ek8MOkgFmhFO8h9hjCI/zIgJc0pMu7S+OUFskbwagRzyXPqoHbuW
      Y3n+jC57P+ic3OsPIqBGVD9+u0ngBY3de/NM4yC2dTWVfy2a814AEzXQswIDAQAB
      o1MwUTAdBgNVHQ4EFgQUtgwJGn1KyUBnzkqhE40rG71hwZ8wHwYDVR0jBBgwFoAU
      tgwJGn1KyUBnzkqhE40rG71hwZ8wDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0B
      AQsFAAOCAgEAfYgb1yXHBHoYw30C82GxVjtCCxYdxwYk3dUYcZl6+8A8X/TrlC41
      1EET6CO4EMdzwgIRh3fGiNTWOtei1uJVFkKX+CoJ2T20GKX5JSU7gq206j1Ry419
      /2B8o0DPQK0PNy9l5l5xY5Fe52wKSO9oWMs738NAj+gHSWELk/02aExMf4gIKsnj
      pVvxLqpJeLXtecTm1ycjtHgf3XaeuSWGa2T7GdSl8ApfpaWDAQZotqiRfUNElOrB
      mNoUvyWFCfB18Hc491lH0SQ36Llquc8KwA6zs/vU9YvXzfFK7Po3tgs+VF7jjtR1
      37ZvNHCRkIjq9lJ/+R+27GljqbEIpwM2C16h8IKF71IGN9fWfO9g7nZyhAddq6X1
      ldi3coU/ObN2AmcSPuN6JssAxDbkIOx4LyJo9en5AdczV/N3FZDOSLaKT+mmB6I+
      MSX8JcXeqBbpSNEhRkhHgwV5AzemlER0eRv8paEOoQoYfwMMnls0CJ1vt5OWkqpC
      A38KquXQL61eblF8HFELb7GWkS9sCjYonFc+ALiYvUydLVv+WxoF5UEC9KVAjZaI
      XQZ5HwFxqteRqxRNRmbAIxAR2bV1K9NgAczcwNziFl3ZH3PEtaRPQkLbjOGpifV4
      ptxQswwMo+nLyMLKEfOp777TE401bn0WYYXSvl7eYdU+nv0lWmHZcNY=
      -----END CERTIFICATE-----
      """
    case .ed25519:
      """
      -----BEGIN CERTIFICATE-----
      MIIBODCB66ADAgECAhQO29TTXUobmoXQG8UXHdCaK3CLmjAFBgMrZXAwEjEQMA4G
      A1UEAwwHZWQyNTUxOTAeFw0yNjExMjYxNzU0MjZaFw0zNjExMjMxNzU0MjZaMBIx
      EDAOBgNVBAMMB2VkMjU1MTkwKjAFBgMrZXADIQC6ikI8AiPIDAw5vsnvDCtEEMmW
      RRDJf/y+YAilxLLwFKNTMFEwHQYDVR0OBBYEFO3hmVNG4Noe9BMK1fuO5IGH4BJK
      MB8GA1UdIwQYMBaAFO3hmVNG4Noe9BMK1fuO5IGH4BJKMA8GA1UdEwEB/wQFMAMB
      Af8wBQYDK2VwA0EAvjN8LeYAA4ZelyuMRYuF7wtSM6MjkyOZjzHNrkzklY2LQQTi
      oS87NOmSUsa/pnxpesgG/AXEe/TwI80bNGfrDg==
      -----END CERTIFICATE-----
      """
    case .v1:
      """
      -----BEGIN CERTIFICATE-----
      MIIBFDCBuwIUPd+28VlcO+neJ+XYiuTKpo6/X18wCgYIKoZIzj0EAwIwDTELMAkG
      A1UEAwwCdjEwHhcNMjYxMTI2MTc1NDI2WhcNMzYxMTIzMTc1NDI2WjANMQswCQYD
      VQQDDAJ2MTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPqg/vBPvZXoWqle93GE
      q7DEjVFmMud946aj4gkQtTzUOqESUNVmU36WZXn2DlkfQechaHBAeaBOia2dKtbJ
      d+gwCgYIKoZIzj0EAwIDSAAwRQIgKFmkNZoJsflqSMMg8BACv/PxSrCercyze12+
      8BffcusCIQDUY1Bu3eeGr6ChGhahwSehQ3TI/XWvmXOnZaRGJob86w==
      -----END CERTIFICATE-----
      """
    }
  }

  public var der: Data {
    let lines = pem.split(separator: "\n").dropFirst().dropLast()
    return Data(base64Encoded: lines.joined()) ?? Data()
  }
}

/// Returns the SHA-256 hash of bytes, computed independently of the library.
public func sha256(_ bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }
