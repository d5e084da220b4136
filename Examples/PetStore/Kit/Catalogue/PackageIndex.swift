import Fief
import Foundation

/// A package index that was read, by the name of its source: fresh for a day.
final class PackageIndex: Object {
  @Persisted(primaryKey: true) var source: String
  @Persisted var packages = 0
  /// When it was read; nil for one that was not read to its end.
  @Persisted var readAt: Date?

  override class func lifetime() -> Lifetime? { Lifetime(24 * 3600, since: \PackageIndex.readAt) }
}
