import FiefRealm
import Foundation

class Thermostat: Object {
  @Persisted private var stored = 20.0
  @Persisted var name = "" {
    didSet { print("was \(oldValue)") }
  }
  var target: Double {
    get { stored }
    set { stored = min(30, newValue) }
  }
}
