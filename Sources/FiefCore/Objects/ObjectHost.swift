import Foundation

/// The calls of an object to its origin: the identity of its store, the effects of its reads and assignments,
/// and the targets of its links.
///
/// The objects' folder is below the stores' folder, so an object calls its store through these requirements.
/// ``ObjectContext`` is the only implementation, so the optimizer calls it directly.
protocol ObjectHost: ObjectOrigin {
  /// Whether the object belongs to a store.
  var isInStore: Bool { get }
  /// The identifier of the store, or `nil` if there is no store.
  var storeID: UUID? { get }
  /// The name of the store, or `nil` if there is no store.
  var storeName: String? { get }

  /// Whether two origins belong to the same store.
  func isOfSameStore(as other: ObjectOrigin) -> Bool

  /// Returns the binding of a class to the store, or `nil` if the class has no binding.
  func binding(of type: ObjectBase.Type) -> ObjectBinding?

  /// Called before a property of an object is read; see ``ObjectBase/willRead()``.
  func willRead(_ object: ObjectBase)

  /// Called before an assignment; see ``ObjectBase/willAssign()``.
  func willAssign(_ object: ObjectBase) -> Bool
  /// Called after an assignment; see ``ObjectBase/didAssign()``.
  func didAssign(_ object: ObjectBase)

  /// Called before an assignment to an embedded object.
  ///
  /// - Parameter root: the object whose record contains the embedded object, or `nil` if it is unknown.
  func willAssign(_ part: EmbeddedObject, in root: ObjectBase?) -> Bool

  /// Called when an object is deallocated. Collections of the object that are still in use keep their place
  /// in the store.
  func leaveCollections(of object: ObjectBase)

  /// Called when a part of an object was returned to the application: a collection or an embedded object.
  func didHandOutPart(of owner: ObjectBase)

  /// Called when a link of an embedded object was read.
  func didReadLink(of part: ObjectBase, at offset: Int, to object: ObjectBase)

  /// Returns the payload of a collection that a write must put for a live object that has not loaded the
  /// collection.
  ///
  /// - Returns: `nil` for all other objects, whose own records have the payload.
  func livePayload(of object: ObjectBase, column: UInt16) throws -> [UInt8]?

  /// Called before a derived property of a live object is read.
  ///
  /// - Returns: false if the object is no longer live, so that its values do not change any more.
  func willReadDerived(of object: ObjectBase) -> Bool

  /// Reports an error that cannot be thrown.
  func report(_ error: any Error, type: String, property: String?)

  /// Returns the object that an `AnyRealmValue` links to. Returns `.none` if the object was deleted, or an
  /// object that holds only the link if its class is unknown.
  func value(of reference: ObjectReference) -> AnyRealmValue

  /// Reports a misuse that cannot be thrown as an error.
  ///
  /// - Returns: false if there is no store.
  func reportMisuse(_ error: FiefError) -> Bool

  /// Reports a stored value that the type of its property does not have.
  func reportUnknown(_ table: Table, _ property: PropertyDescriptor?)
}
