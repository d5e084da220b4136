import Foundation

/// The origin of an object, as the object itself sees it: an open store, or only a place to which errors are
/// reported.
///
/// Its only subclass for open stores is ``ObjectContext``, and all origins of objects are instances of that
/// subclass.
@usableFromInline
package class ObjectOrigin: ValueOrigin, @unchecked Sendable {
  /// Records the reads of an object that represents all objects of its class.
  final let tracer: ReadTracer?

  override init() { tracer = nil }

  init(tracer: ReadTracer) { self.tracer = tracer }

  /// Whether the object belongs to a store.
  var isInStore: Bool { false }
  /// The identifier and the name of the store.
  var storeID: UUID? { nil }
  var storeName: String? { nil }

  /// Whether two origins belong to the same store.
  func isOfSameStore(as other: ObjectOrigin) -> Bool { false }

  /// Returns the binding of a class to the store, or `nil` if the class has no binding.
  func binding(of type: ObjectBase.Type) -> ObjectBinding? { nil }

  /// Called before a property of an object is read; see ``ObjectBase/willRead()``.
  func willRead(_ object: ObjectBase) {}

  /// Called before an assignment; see ``ObjectBase/willAssign()``.
  func willAssign(_ object: ObjectBase) -> Bool { false }
  func didAssign(_ object: ObjectBase) {}

  /// Called before an assignment to an embedded object.
  ///
  /// - Parameter root: the object whose record contains the embedded object, or `nil` if it is unknown.
  func willAssign(_ part: EmbeddedObject, in root: ObjectBase?) -> Bool { false }

  /// Called when an object is deallocated. Collections of the object that are still in use keep their place
  /// in the store.
  func leaveCollections(of object: ObjectBase) {}

  /// Called when a part of an object was returned to the application: a collection or an embedded object.
  func didHandOutPart(of owner: ObjectBase) {}

  /// Called when a link of an embedded object was read.
  func didReadLink(of part: ObjectBase, at offset: Int, to object: ObjectBase) {}

  /// Returns the payload of a collection that a write must put for a live object that has not loaded the
  /// collection.
  ///
  /// - Returns: `nil` for all other objects, whose own records have the payload.
  func livePayload(of object: ObjectBase, column: UInt16) throws -> [UInt8]? { nil }

  /// Called before a derived property of a live object is read.
  ///
  /// - Returns: false if the object is no longer live, so that its values do not change any more.
  func willReadDerived(of object: ObjectBase) -> Bool { false }

  func report(_ error: any Error, type: String, property: String?) {}

  /// Returns the object that an `AnyRealmValue` links to. Returns `.none` if the object was deleted, or an
  /// object that holds only the link if its class is unknown.
  func value(of reference: ObjectReference) -> AnyRealmValue {
    .object(UndeclaredObject.make(reference, in: nil))
  }

  /// Reports a misuse that cannot be thrown as an error.
  ///
  /// - Returns: false if there is no store.
  func reportMisuse(_ error: FiefError) -> Bool { false }

  /// Reports a stored value that the type of its property does not have.
  func reportUnknown(_ table: Table, _ property: PropertyDescriptor?) {}
}

/// The objects that are saved together, as seen by the encoding of one of them. Its only subclass is
/// ``ObjectGraph``.
package class EncodedGraph: ValueDestination {
  /// The maximum depth of nested embedded objects. Encoding and checking them is recursive, and must fit the
  /// smallest stack of a thread.
  package static let deepestEmbedding = 128

  /// The property that is being encoded.
  final var property: PropertyDescriptor?

  /// Appends the object in an `AnyRealmValue` as an ``ObjectReference``, after its kind. If the object is new
  /// or changed, it is written too. Nothing is appended if the object was deleted while the value was held.
  func appendObject(_ object: Object, to writer: inout ValueWriter) throws {}

  /// Called when the links of a property are copied from the record of the object.
  func noteCopiedLinks() {}
}

extension ValueWriter {
  /// The save for which the values are written.
  // SAFETY: a destination is always an ``EncodedGraph``, which has only one subclass.
  @inline(__always)
  var encodedGraph: EncodedGraph? { unsafeBitCast(destination, to: EncodedGraph?.self) }
}
