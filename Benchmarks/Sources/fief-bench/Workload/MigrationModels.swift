import Fief

/// The objects of the rows that migrate, before.
final class VisitBefore: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var place = ""
  @Persisted var minutes: Int32 = 0
  @Persisted var remark: String?

  override class func className() -> String { "Visit" }
}

/// The same objects with one property more, a wider one and one that is required now.
final class VisitAfter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var place = ""
  @Persisted var minutes = 0
  @Persisted var remark = "none"
  @Persisted var rating = 5

  override class func className() -> String { "Visit" }
}
