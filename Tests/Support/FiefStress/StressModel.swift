import Fief
import Foundation

/// A key of text, an index, a link to an object without a primary key.
package final class StressUser: Object {
  @Persisted(primaryKey: true) package var name: String
  @Persisted(indexed: true) package var email: String?
  @Persisted package var visits = 0
  @Persisted package var session: StressSession?
}

/// No primary key: row ids.
package final class StressSession: Object {
  @Persisted(indexed: true) package var token: String
  @Persisted package var user: StressUser?
  @Persisted package var payload: Data
}

package final class StressPerson: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var name: String
  @Persisted package var dogs: List<StressDog>
  @Persisted package var home: StressAddress?
}

package final class StressDog: Object {
  @Persisted(primaryKey: true) package var id: UUID
  @Persisted(indexed: true) package var age: Int?
  @Persisted package var owner: StressPerson?
  @Persisted(originProperty: "dogs") package var owners: LinkingObjects<StressPerson>
}

package final class StressAddress: EmbeddedObject {
  @Persisted package var street: String
  @Persisted package var number: Int?
}

package final class StressOrder: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var total = 0
  @Persisted package var lines: List<StressLine>
  @Persisted package var entry: StressEntry?
}

package final class StressLine: EmbeddedObject {
  @Persisted package var article: String
  @Persisted package var cents = 0
}

/// No primary key: row ids.
package final class StressEntry: Object {
  @Persisted(indexed: true) package var order = 0
  @Persisted package var amount: Decimal
}
