import FiefRealm
import Foundation

struct Expense: Identifiable {
  let id: String
  let amount: Double
  let date: Date
}

class ExpenseObject: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var amount: Double
  @Persisted var date: Date

  convenience init(_ expense: Expense) {
    self.init()
    id = expense.id
    amount = expense.amount
    date = expense.date
  }

  func toDomain() -> Expense { Expense(id: id, amount: amount, date: date) }
}

final class ExpenseStore {
  func load() throws -> [Expense] {
    try Realm().objects(ExpenseObject.self).map { $0.toDomain() }
  }

  func save(_ expenses: [Expense]) throws {
    let realm = try Realm()
    try realm.write { realm.add(expenses.map(ExpenseObject.init), update: .all) }
  }
}
