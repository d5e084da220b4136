import FiefRealm
import Foundation

class Workout: Object {
  @Persisted var date = Date()
  @Persisted var minutes = 0
}

extension Workout {
  static func on(_ day: Date, in realm: Realm) -> Results<Workout> {
    let start = Calendar.current.startOfDay(for: day)
    let end = Calendar.current.date(byAdding: .day, value: 1, to: start)!
    return realm.objects(Workout.self).filter("date >= %@ AND date < %@", start, end)
  }

  static func minutes(since date: Date, in realm: Realm) -> Int {
    realm.objects(Workout.self).where { $0.date > date }.sum(ofProperty: "minutes")
  }
}
