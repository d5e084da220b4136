import Fief

// The classes of four versions have the same names. They are generic, so that a process has only those that it names.

package final class PlanAnimalOld<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var name = ""
  @Persisted package var kind = ""
  @Persisted package var code = ""
  @Persisted package var weight = 0

  package override class func className() -> String { "Animal" }
}

package final class PlanKeeperOld<Version>: Object {
  @Persisted(primaryKey: true) package var name = ""
  @Persisted package var animals: List<PlanAnimalOld<Version>>

  package override class func className() -> String { "Keeper" }
}

package final class PlanRemarkOld<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var text = ""
  @Persisted package var animal: PlanAnimalOld<Version>?

  package override class func className() -> String { "Remark" }
}

/// In version 4.
package final class PlanAnimalNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(index: .fullText) package var title = ""
  @Persisted package var sort: PlanKindNew<Version>?
  @Persisted(index: .unique) package var code = ""
  @Persisted(indexed: true) package var weight = 0.0
  @Persisted package var remarks: List<String>

  package override class func className() -> String { "Animal" }
  package override class func indexes() -> [IndexDefinition] { [IndexDefinition("weight", "title")] }
}

package final class PlanKindNew<Version>: Object {
  @Persisted(primaryKey: true) package var name = ""
  @Persisted(originProperty: "sort") package var animals: LinkingObjects<PlanAnimalNew<Version>>

  package override class func className() -> String { "Kind" }
}

package final class PlanPersonNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var name = ""
  @Persisted package var animals: List<PlanAnimalNew<Version>>
  @Persisted package var count = 0

  package override class func className() -> String { "Person" }
}

/// What a migration has noted, one for each person.
package final class PlanEntryNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var text = ""

  package override class func className() -> String { "Entry" }
}
