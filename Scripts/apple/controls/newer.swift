// error: 'Observations' is only available in
import Observation

func numbers() { _ = Observations { 1 } }
