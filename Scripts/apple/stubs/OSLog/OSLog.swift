// https://developer.apple.com/documentation/oslog
@_exported public import os
