import FiefRealm
import Foundation

class Habit: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var completed: List<Date>

  var streak: Int {
    var day = Calendar.current.startOfDay(for: Date())
    var count = 0
    while completed.contains(where: { Calendar.current.isDate($0, inSameDayAs: day) }) {
      count += 1
      day = Calendar.current.date(byAdding: .day, value: -1, to: day)!
    }
    return count
  }

  func complete() {
    guard let habit = thaw(), let realm = habit.realm else { return }
    try? realm.write { habit.completed.append(Date()) }
  }
}
