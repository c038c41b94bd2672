// error: call to main actor-isolated instance method 'send' in a synchronous nonisolated context
import CurlewScreens

func search(in model: ScreenModel<Search<String>>) { model.send(.submit) }
