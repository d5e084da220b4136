import Fief

// The classes of versions 2 and 3.

package final class PlanAnimalSecond<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var title = ""
  @Persisted package var sort: PlanKindSecond<Version>?
  @Persisted package var code = ""
  @Persisted package var weight = 0.0

  package override class func className() -> String { "Animal" }
}

package final class PlanKindSecond<Version>: Object {
  @Persisted(primaryKey: true) package var name = ""

  package override class func className() -> String { "Kind" }
}

package final class PlanKeeperSecond<Version>: Object {
  @Persisted(primaryKey: true) package var name = ""
  @Persisted package var animals: List<PlanAnimalSecond<Version>>

  package override class func className() -> String { "Keeper" }
}

package final class PlanRemarkSecond<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var text = ""
  @Persisted package var animal: PlanAnimalSecond<Version>?

  package override class func className() -> String { "Remark" }
}

package final class PlanAnimalThird<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(index: .fullText) package var title = ""
  @Persisted package var sort: PlanKindThird<Version>?
  @Persisted(index: .unique) package var code = ""
  @Persisted(indexed: true) package var weight = 0.0

  package override class func className() -> String { "Animal" }
}

package final class PlanKindThird<Version>: Object {
  @Persisted(primaryKey: true) package var name = ""

  package override class func className() -> String { "Kind" }
}

package final class PlanPersonThird<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var name = ""
  @Persisted package var animals: List<PlanAnimalThird<Version>>

  package override class func className() -> String { "Person" }
}

package final class PlanRemarkThird<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var text = ""
  @Persisted package var animal: PlanAnimalThird<Version>?

  package override class func className() -> String { "Remark" }
}
