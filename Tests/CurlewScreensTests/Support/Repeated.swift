/// Returns the first state that was delivered twice in a row.
func repeated<State: Equatable>(in states: [State]) -> State? {
  zip(states, states.dropFirst()).first { $0 == $1 }?.1
}
