import TestSupport

/// In these tests, `Sample` is the sample of the content codings, not Curlew's sample response.
typealias Sample = CodedSample
