import Fief

/// A room without and one with properties that are derived of its visitors.
final class PlainRoom: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var visitorsCount = 0
  @Persisted var ages = 0
  @Persisted(originProperty: "room") var visitors: LinkingObjects<PlainVisitor>
}

final class PlainVisitor: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var room: PlainRoom?

  convenience init(_ person: Person, room: PlainRoom) {
    self.init()
    id = person.id
    name = person.name
    age = person.age
    self.room = room
  }
}

final class CountedRoom: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var visitorsCount = 0
  @Persisted var ages = 0
  @Persisted(originProperty: "room") var visitors: LinkingObjects<CountedVisitor>

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("visitorsCount", .count(of: "visitors")),
      DerivedProperty("ages", .sum(of: "visitors.age")),
    ]
  }
}

final class CountedVisitor: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var room: CountedRoom?

  convenience init(_ person: Person, room: CountedRoom) {
    self.init()
    id = person.id
    name = person.name
    age = person.age
    self.room = room
  }
}
