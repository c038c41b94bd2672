import AppComposition
import AppControllers
import AppViews
import Curlew
import Foundation
import SwiftUI

@main
struct CurlewApps: App {
  // The key comes from the environment variable TMDB_API_KEY in the scheme, and SANDBOX is the base URL of a sandbox's
  // GitHub, whose users can sign in.
  private let sources = try! AppSources.live(
    tmdbKey: ProcessInfo.processInfo.environment["TMDB_API_KEY"].map { Sensitive($0) },
    sandbox: ProcessInfo.processInfo.environment["SANDBOX"])

  var body: some Scene {
    WindowGroup {
      #if os(iOS)
        // Enabled by the scheme's argument `-UIKit YES`.
        if UserDefaults.standard.bool(forKey: "UIKit") {
          ControllersView(sources).ignoresSafeArea()
        } else {
          AppsView(sources)
        }
      #else
        AppsView(sources)
      #endif
    }
  }
}
