import Foundation

/// An object in a value of any type whose class is not known where it is read, as in the block of a migration: the link
/// alone.
///
/// It has no properties. A value that has it keeps the link when it is written again.
package final class UndeclaredObject: Object {
  private(set) var reference = ObjectReference(type: 0, key: [])
  /// The store whose type the reference numbers; nil where it was read without one, as in a migration.
  private(set) var storeID: UUID?

  package static func make(_ reference: ObjectReference, in storeID: UUID?) -> UndeclaredObject {
    let object = UndeclaredObject()
    object.reference = reference
    object.storeID = storeID
    return object
  }

  package override class func shouldIncludeInDefaultSchema() -> Bool { false }

  package override var description: String {
    "an object of a class that is not declared here, key \(ObjectKey(bytes: reference.key))"
  }
}
