import Fief
import Foundation

/// A copy of something, whose date the cache sets.
final class CachedUser: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var cachedAt: Date?

  convenience init(_ id: Int, _ name: String = "", cachedAt: Double? = nil) {
    self.init()
    self.id = id
    self.name = name
    if let cachedAt { self.cachedAt = Date(timeIntervalSinceReferenceDate: cachedAt) }
  }

  override class func lifetime() -> Lifetime? { Lifetime(3600, since: "cachedAt") }
}

/// A copy without an index, whose date cannot be nil.
final class CachedPlace: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var cachedAt = Date(timeIntervalSinceReferenceDate: 0)

  override class func lifetime() -> Lifetime? { Lifetime(60, since: \CachedPlace.cachedAt) }
}

/// A copy whose date the store derives, with a key of two parts.
final class CachedPrice: Object {
  @Persisted(primaryKey: true) var shop = ""
  @Persisted(primaryKey: true) var number = 0
  @Persisted var amount = 0
  @Persisted(indexed: true) var changedAt: Date?

  override class func lifetime() -> Lifetime? { Lifetime(10, since: "changedAt") }
  override class func derivedProperties() -> [DerivedProperty] { [DerivedProperty("changedAt", .lastChange)] }
}

/// One that cannot be deleted while it has notes, and takes its pictures with it.
final class CachedArticle: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var cachedAt: Date?
  @Persisted(originProperty: "article") var notes: LinkingObjects<ArticleNote>
  @Persisted var pictures: List<ArticlePicture>

  override class func lifetime() -> Lifetime? { Lifetime(60, since: "cachedAt") }
  override class func relationships() -> [Relationship] {
    [Relationship("notes", deleteRule: .deny), Relationship("pictures", deleteRule: .cascade)]
  }
}

final class ArticleNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var article: CachedArticle?
}

final class ArticlePicture: Object {
  @Persisted(primaryKey: true) var id = 0
}

/// One of at most three.
final class BoundedPage: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted(indexed: true) var cachedAt: Date?

  override class func lifetime() -> Lifetime? { Lifetime(.infinity, since: "cachedAt", maximumCount: 3) }
}

/// Pages of at most 64 KiB together.
final class HeavyPage: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted(indexed: true) var cachedAt: Date?

  override class func lifetime() -> Lifetime? {
    Lifetime(.infinity, since: "cachedAt", maximumBytes: 64 << 10)
  }
}

/// One of which no two have the same name.
final class UniqueCopy: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var name = ""
  @Persisted var cachedAt: Date?

  override class func lifetime() -> Lifetime? { Lifetime(60, since: "cachedAt") }
}

/// One that its owner requires.
final class RequiredCopy: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var cachedAt: Date?

  override class func lifetime() -> Lifetime? { Lifetime(60, since: "cachedAt") }
}

final class CopyOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var copy: RequiredCopy?

  override class func relationships() -> [Relationship] { [Relationship("copy", isRequired: true)] }
}
