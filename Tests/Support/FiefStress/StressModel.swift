import Fief
import Foundation

/// A key of text, an index, a link to an object without a primary key.
public final class StressUser: Object {
  @Persisted(primaryKey: true) public var name: String
  @Persisted(indexed: true) public var email: String?
  @Persisted public var visits = 0
  @Persisted public var session: StressSession?
}

/// No primary key: row ids.
public final class StressSession: Object {
  @Persisted(indexed: true) public var token: String
  @Persisted public var user: StressUser?
  @Persisted public var payload: Data
}

public final class StressPerson: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted(indexed: true) public var name: String
  @Persisted public var dogs: List<StressDog>
  @Persisted public var home: StressAddress?
}

public final class StressDog: Object {
  @Persisted(primaryKey: true) public var id: UUID
  @Persisted(indexed: true) public var age: Int?
  @Persisted public var owner: StressPerson?
  @Persisted(originProperty: "dogs") public var owners: LinkingObjects<StressPerson>
}

public final class StressAddress: EmbeddedObject {
  @Persisted public var street: String
  @Persisted public var number: Int?
}

public final class StressOrder: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted(indexed: true) public var total = 0
  @Persisted public var lines: List<StressLine>
  @Persisted public var entry: StressEntry?
}

public final class StressLine: EmbeddedObject {
  @Persisted public var article: String
  @Persisted public var cents = 0
}

/// No primary key: row ids.
public final class StressEntry: Object {
  @Persisted(indexed: true) public var order = 0
  @Persisted public var amount: Decimal
}
