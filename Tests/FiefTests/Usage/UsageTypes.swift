import Fief
import FiefTesting
import Foundation

@testable import FiefCore

final class UsageDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var owner: UsageOwner?
}

final class UsageOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(originProperty: "owner") var dogs: LinkingObjects<UsageDog>

  override class func relationships() -> [Relationship] { [Relationship("dogs", deleteRule: .cascade)] }
}

/// The notices of budgets, in their order.
final class UsageNotices: Sendable {
  private let all = Lock<[BudgetNotice]>([])

  func append(_ notice: BudgetNotice) { all.withLock { $0.append(notice) } }
  var used: [UInt64] { all.withLock { $0.map(\.used) } }
  var fractions: [Double] { all.withLock { $0.map(\.fraction) } }
}

enum UsageStores {
  static let types: [Object.Type] = [UsageDog.self, UsageOwner.self]

  static func repository(_ options: StoreOptions = StoreOptions(), in directory: String? = nil)
    -> TestRepository
  {
    TestRepository("usage", in: directory, version: 1, objectTypes: types, options: options)
  }

  static func dog(_ number: Int) -> UsageDog { UsageDog(value: ["name": "dog\(number)", "age": number]) }
}

extension Store {
  /// Waits until the handlers that are due have been called.
  func waitForHandlers() { openedCore?.completions.finish() }
}
