import FiefRealm

class Member: Object {
  @Persisted(primaryKey: true) var id = UUID().uuidString
  @Persisted var joined = Date()
}

class Session: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var token: String
}
