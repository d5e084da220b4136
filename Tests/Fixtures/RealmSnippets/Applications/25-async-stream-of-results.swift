import FiefRealm
import Foundation

class Alarm: Object {
  @Persisted var hour = 0
}

extension Results where Element: Object {
  func stream() -> AsyncStream<[Element]> {
    AsyncStream { continuation in
      let token = self.observe { change in
        switch change {
        case .initial(let results), .update(let results, _, _, _):
          continuation.yield(Array(results.freeze()))
        case .error:
          continuation.finish()
        }
      }
      continuation.onTermination = { _ in token.invalidate() }
    }
  }
}
