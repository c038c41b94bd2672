// Not one of the five apps: the code of the page CurlewSwiftUI about an app in the background.
#if os(iOS)
  import BackgroundTasks
  import Curlew
  import CurlewScreens
  import CurlewStore
  import CurlewSwiftUI
  import Foundation
  import SwiftUI
  import UIKit

  nonisolated struct Note: Entity, Decodable {
    let id: Int
    let text: String
  }

  nonisolated enum Notes {
    static let store = Store(Client(baseURL: "https://notes.example") { $0.cache = .memory() })
    static let page = StoreEntry(Request<[Note]>.get("/notes"), entities: .each(\.items)) {
      Page($0)
    }
  }

  struct NotesApp: App {
    @Environment(\.scenePhase) private var phase
    @State private var model = ScreenModel(Feed(source: Notes.store.source { _ in Notes.page }))
    @State private var task = UIBackgroundTaskIdentifier.invalid

    var body: some Scene {
      WindowGroup {
        FeedList(model) { note in Text(note.text) }.activity(of: model).running(model)
          .onReceive(
            NotificationCenter.default.publisher(
              for: UIApplication.didReceiveMemoryWarningNotification)
          ) { _ in
            Task { await Notes.store.freeMemory() }
          }
      }
      .onChange(of: phase) {
        guard phase == .background else { return }
        scheduleRefresh()
        Task { await finishWrites() }
      }
      .backgroundTask(.appRefresh("notes")) {
        await scheduleRefresh()
        await Reload.$isRequested.withValue(true) { _ = try? await Notes.store.load(Notes.page) }
      }
    }

    private func scheduleRefresh() {
      let request = BGAppRefreshTaskRequest(identifier: "notes")
      request.earliestBeginDate = Date(timeIntervalSinceNow: 3_600)
      try? BGTaskScheduler.shared.submit(request)
    }

    private func finishWrites() async {
      task = UIApplication.shared.beginBackgroundTask(withName: "writes") { end() }
      await Notes.store.writes.finished()
      end()
    }

    private func end() {
      UIApplication.shared.endBackgroundTask(task)
      task = .invalid
    }
  }
#endif
