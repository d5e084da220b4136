import Fief

// Generic, as `StressItemOld`: a process has only those classes of one name that it names.

package typealias StressAnimalBefore = StressAnimalOld<StressVersion>
package typealias StressAnimalAfter = StressAnimalNew<StressVersion>
package typealias StressHolderBefore = StressHolderOld<StressVersion>
package typealias StressHolderAfter = StressHolderNew<StressVersion>
package typealias StressGone = StressGoneOld<StressVersion>
package typealias StressFresh = StressFreshNew<StressVersion>

package final class StressAnimalOld<Version>: Object {
  @Persisted(primaryKey: true) package var id: Int32 = 0
  @Persisted(indexed: true) package var name: String?
  @Persisted(indexed: true) package var weight: Int32 = 0
  @Persisted(indexed: true) package var tag = ""
  @Persisted(indexed: true) package var gone = 0
  @Persisted package var owner: StressHolderOld<Version>?
  @Persisted package var part: StressPartOld<Version>?
  @Persisted package var note = ""

  package override class func className() -> String { "StressAnimal" }
}

package final class StressPartOld<Version>: EmbeddedObject {
  @Persisted package var size: Int16 = 0

  package override class func className() -> String { "StressPart" }
}

package final class StressHolderOld<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var title = ""

  package override class func className() -> String { "StressHolder" }
}

package final class StressGoneOld<Version>: Object {
  @Persisted(indexed: true) package var number = 0
  @Persisted package var animals: List<StressAnimalOld<Version>>

  package override class func className() -> String { "StressGone" }
}

/// Wider integers, a double, required and optional texts, two properties under new names, a new index.
package final class StressAnimalNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var name = "nobody"
  @Persisted(indexed: true) package var weight = 0.0
  @Persisted(indexed: true) package var label = ""
  @Persisted(indexed: true) package var rank = 0
  @Persisted package var holder: StressHolderNew<Version>?
  @Persisted package var part: StressPartNew<Version>?
  @Persisted(index: .fullText) package var note: String?

  package override class func className() -> String { "StressAnimal" }
  package override class func indexes() -> [IndexDefinition] {
    [
      IndexDefinition("label", "rank").caseInsensitive, .unique("name", "weight", "id"),
      .fullText("name", "label"),
    ]
  }
}

package final class StressPartNew<Version>: EmbeddedObject {
  @Persisted package var size: Int?

  package override class func className() -> String { "StressPart" }
}

package final class StressHolderNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var title = ""
  @Persisted package var animals = 0

  package override class func className() -> String { "StressHolder" }
}

package final class StressFreshNew<Version>: Object {
  @Persisted(indexed: true) package var number = 0

  package override class func className() -> String { "StressFresh" }
}
