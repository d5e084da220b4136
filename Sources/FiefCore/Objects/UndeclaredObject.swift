import Foundation

/// An object in an `AnyRealmValue` whose class is unknown when it is read, as in a migration block. It only
/// contains the link.
///
/// It has no properties. A value that contains it keeps the link when it is written again.
package final class UndeclaredObject: Object {
  private(set) var reference = ObjectReference(type: 0, key: [])
  /// The store whose type number the reference uses, or `nil` if the reference was read without a store, as
  /// in a migration.
  private(set) var storeID: UUID?

  package static func make(_ reference: ObjectReference, in storeID: UUID?) -> UndeclaredObject {
    let object = UndeclaredObject()
    object.reference = reference
    object.storeID = storeID
    return object
  }

  package override class func shouldIncludeInDefaultSchema() -> Bool { false }

  package override var description: String {
    "an object of a class not declared here, key \(ObjectKey(bytes: reference.key))"
  }
}
