import Fief
import Foundation

// The classes of two versions have the same names. They are generic, so that a process has only those that it names.

package enum TortureVersion {}
package typealias TortureItem = TortureItemOld<TortureVersion>
package typealias TortureOwner = TortureOwnerOld<TortureVersion>
package typealias NewerItem = TortureItemNew<TortureVersion>
package typealias NewerOwner = TortureOwnerNew<TortureVersion>

/// Every kind of index, a list that becomes large, data that makes the file grow.
package final class TortureItemOld<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(index: .unique) package var code = ""
  @Persisted(indexed: true) package var rank = 0
  @Persisted(index: .fullText) package var text = ""
  @Persisted package var notes: List<String>
  @Persisted package var bytes = Data()

  package override class func className() -> String { "Item" }
  package override class func indexes() -> [IndexDefinition] { [IndexDefinition("rank", "code")] }
}

/// Its items are deleted with it.
package final class TortureOwnerOld<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var name = ""
  @Persisted package var items: List<TortureItemOld<Version>>

  package override class func className() -> String { "Owner" }
  package override class func relationships() -> [Relationship] {
    [Relationship(\TortureOwnerOld<Version>.items, deleteRule: .cascade)]
  }
}

/// A number of another type, and a new property with an index.
package final class TortureItemNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(index: .unique) package var code = ""
  @Persisted(indexed: true) package var rank = 0.0
  @Persisted(index: .fullText) package var text = ""
  @Persisted package var notes: List<String>
  @Persisted package var bytes = Data()
  @Persisted(indexed: true) package var stars = 0

  package override class func className() -> String { "Item" }
}

package final class TortureOwnerNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var name = ""
  @Persisted package var items: List<TortureItemNew<Version>>

  package override class func className() -> String { "Owner" }
  package override class func relationships() -> [Relationship] {
    [Relationship(\TortureOwnerNew<Version>.items, deleteRule: .cascade)]
  }
}
