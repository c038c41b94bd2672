import AppComposition
import AppControllers
import AppViews
import Curlew
import Foundation
import SwiftUI

@main
struct CurlewApps: App {
  // TMDB's key is a setting of the build: TMDB_API_KEY in the scheme's environment.
  private let sources = try! AppSources.live(
    tmdbKey: ProcessInfo.processInfo.environment["TMDB_API_KEY"].map { Sensitive($0) })

  var body: some Scene {
    WindowGroup {
      #if os(iOS)
        // With the argument `-UIKit YES` of the scheme.
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
