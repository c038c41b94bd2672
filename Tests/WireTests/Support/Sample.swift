import TestSupport

/// Here a sample is what the content codings are tested with, and not Curlew's sample response.
typealias Sample = CodedSample
