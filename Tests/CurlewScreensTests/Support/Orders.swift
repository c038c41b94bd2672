import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Explores a screen, and sends events at any time.
///
/// `CURLEW_STORIES=10000` runs that many orders, `CURLEW_SEED=7` other random orders.
func exploreInTime<S: Screen>(
  _ screen: @autoclosure @escaping () -> S, events: [S.Event], count: Int = 1_200,
  checking properties: [ExplorationProperty<ScreenProbe<S>>],
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  await explore(
    screen(), events: events, checking: properties, runs: Fuzz.stories(full: count),
    seed: Fuzz.seed(), sourceLocation: sourceLocation)
}

extension ScreenProbe {
  /// The largest number of loads, streams and writes that ran at once.
  var mostRunning: Int {
    var (count, most) = (0, 0)
    for step in steps {
      count += step == .started ? 1 : -1
      most = max(most, count)
    }
    return most
  }
}
