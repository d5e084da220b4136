import Fief
import Foundation

@testable import FiefObserving

/// The state of an observer of one object that knows the reported properties alone.
final class TrackedObject: Sendable {
  struct State {
    var values: [String: String]
    var wrong: [String] = []
    var isEnded = false
  }

  let id: Int
  let state: Lock<State>
  private let read: @Sendable (TrackedDog) -> [String: String]

  /// - Parameter read: the watched value, by the property that is reported.
  init(_ dog: TrackedDog, _ read: @escaping @Sendable (TrackedDog) -> [String: String]) {
    id = dog.id
    self.read = read
    state = Lock(State(values: read(dog)))
  }

  var values: [String: String] { state.withLock { $0.values } }
  var wrong: [String] { state.withLock { $0.wrong } }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  func note(_ change: ObjectChange<TrackedDog>) {
    switch change {
    case .change(let dog, let properties):
      let (now, plain) = (read(dog), PlainDog(dog))
      state.withLock { state in
        let changed = now.filter { state.values[$0.key] != $0.value }.keys.sorted()
        let names = properties.map(\.name).sorted()
        if names != changed {
          state.wrong.append("\(id): \(names) and not \(changed): \(state.values) \(now)")
        }
        if let name = properties.first(where: { $0.name == "name" }), state.values["name"] != nil {
          if name.newValue as? String != plain.name || name.oldValue as? String != state.values["name"] {
            state.wrong.append("\(id): \(name)")
          }
        }
        state.values = now
      }
    case .deleted: state.withLock { $0.isEnded = true }
    case .error(let error): state.withLock { $0.wrong.append("\(error)") }
    }
  }
}

/// The state of an observer of a map.
final class TrackedMap: Sendable {
  struct State {
    var values: [String: String] = [:]
    var wrong: [String] = []
  }

  let name: String
  let state = Lock(State())

  init(_ name: String) { self.name = name }

  func note<Map>(_ change: RealmMapChange<Map>, _ now: (Map) -> [String: String]) {
    switch change {
    case .initial(let map):
      let now = now(map)
      state.withLock { $0.values = now }
    case .update(let map, let deletions, let insertions, let modifications):
      let now = now(map)
      state.withLock { state in
        for key in deletions where state.values.removeValue(forKey: key) == nil {
          state.wrong.append("\(name): \(key) was not there")
        }
        for key in insertions where state.values.updateValue(now[key] ?? "?", forKey: key) != nil {
          state.wrong.append("\(name): \(key) was there")
        }
        for key in modifications where state.values.updateValue(now[key] ?? "?", forKey: key) == now[key] {
          state.wrong.append("\(name): \(key) is as it was")
        }
        if state.values != now { state.wrong.append("\(name): \(state.values) and not \(now)") }
      }
    case .error(let error): state.withLock { $0.wrong.append("\(error)") }
    }
  }
}
