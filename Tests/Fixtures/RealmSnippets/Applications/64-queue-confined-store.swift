import FiefRealm
import Foundation

class Log: Object {
  @Persisted var line = ""
  @Persisted var level = 0
}

final class LogStore: @unchecked Sendable {
  private let queue = DispatchQueue(label: "log-store")
  private var realm: Realm!

  init() {
    queue.sync {
      realm = try! Realm(configuration: Realm.Configuration(inMemoryIdentifier: "log"), queue: queue)
    }
  }

  func append(_ line: String) {
    queue.async { [self] in
      try! realm.write { realm.add(Log(value: ["line": line])) }
    }
  }

  var count: Int { queue.sync { realm.objects(Log.self).count } }
}
