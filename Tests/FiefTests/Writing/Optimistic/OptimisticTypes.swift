import Fief
import Foundation

final class OptimisticUser: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
  @Persisted(indexed: true) var points = 0
  @Persisted var changedAt: Date?
  @Persisted var friend: OptimisticUser?
  @Persisted var address: OptimisticAddress?
  @Persisted var followers: List<OptimisticUser>
  @Persisted var numbers: List<Int>
  @Persisted(originProperty: "friend") var befriended: LinkingObjects<OptimisticUser>

  convenience init(_ id: String, points: Int = 0) {
    self.init()
    self.id = id
    self.points = points
  }
}

final class OptimisticAddress: EmbeddedObject {
  @Persisted var city = ""
}

/// A class without links, lists and embedded objects.
final class OptimisticCounter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
  @Persisted var note = ""

  convenience init(_ id: Int, value: Int = 0) {
    self.init()
    self.id = id
    self.value = value
  }
}

/// A class without a primary key.
final class OptimisticEntry: Object {
  @Persisted var amount = 0
  @Persisted var user = ""
  @Persisted var at: Date?

  convenience init(_ amount: Int, of user: String) {
    self.init()
    self.amount = amount
    self.user = user
  }
}

final class OptimisticPost: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var amount = 0
  @Persisted var user = ""
  @Persisted var at: Date?
}

/// A class with a derived property.
final class OptimisticNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var search = ""

  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("search", .lowercased(of: "text"))]
  }
}

let optimisticTypes: [Object.Type] = [
  OptimisticUser.self, OptimisticCounter.self, OptimisticEntry.self, OptimisticPost.self, OptimisticNote.self,
]

struct OptimisticFailure: Error, Equatable {
  let reason: String
}

/// Runs a closure at its first call only: what others do while the first attempt runs.
final class Once: Sendable {
  private let isDone = Lock(false)

  func callAsFunction(_ body: () async throws -> Void) async rethrows {
    let isFirst = isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
    if isFirst { try await body() }
  }
}

/// Calls a closure outside of the task, and of the transaction whose body it runs.
func asOthers<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
  try await Task.detached { try await body() }.value
}
