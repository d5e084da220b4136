import Foundation

/// Where an object came from, as the object itself knows it: an open store, or nothing but a place to report to.
///
/// An open store has the one subclass, ``ObjectContext``; all origins of objects are instances of that.
@usableFromInline
package class ObjectOrigin: ValueOrigin, @unchecked Sendable {
  /// What notes the reads of an object that stands for all others.
  final let tracer: ReadTracer?

  override init() { tracer = nil }

  init(tracer: ReadTracer) { self.tracer = tracer }

  /// Whether the object is one of a store.
  var isInStore: Bool { false }
  /// The identifier and the name of that store.
  var storeID: UUID? { nil }
  var storeName: String? { nil }

  /// Whether another origin in a store is in the same one.
  func isOfSameStore(as other: ObjectOrigin) -> Bool { false }

  /// The binding of a class to the store; nil where there is none.
  func binding(of type: ObjectBase.Type) -> ObjectBinding? { nil }

  /// Called before a property of an object is read; see ``ObjectBase/willRead()``.
  func willRead(_ object: ObjectBase) {}

  /// Called before an assignment; see ``ObjectBase/willAssign()``.
  func willAssign(_ object: ObjectBase) -> Bool { false }
  func didAssign(_ object: ObjectBase) {}

  /// Called before an assignment to an embedded object.
  ///
  /// - Parameter root: the object with a record that the part is in; nil where that is not known.
  func willAssign(_ part: EmbeddedObject, in root: ObjectBase?) -> Bool { false }

  /// Called when an object ends: its collections that others hold keep where the store has them.
  func leaveCollections(of object: ObjectBase) {}

  /// Called when a part of an object was handed out: a collection or an embedded object.
  func didHandOutPart(of owner: ObjectBase) {}

  /// Called when a link of an embedded object was read.
  func didReadLink(of part: ObjectBase, at offset: Int, to object: ObjectBase) {}

  /// The payload of a collection that a write has to put for an object that is live in it and has not loaded the collection.
  ///
  /// - Returns: nil for all other objects, whose own record has the payload.
  func livePayload(of object: ObjectBase, column: UInt16) throws -> [UInt8]? { nil }

  /// Called before a derived property of a live object is read.
  ///
  /// - Returns: false where the object is not live any more, so that its values stay what they are.
  func willReadDerived(of object: ObjectBase) -> Bool { false }

  func report(_ error: any Error, type: String, property: String?) {}

  /// The object that a value of any type links; none where it is gone, and the link alone where its class is not known.
  func value(of reference: ObjectReference) -> AnyRealmValue {
    .object(UndeclaredObject.make(reference, in: nil))
  }

  /// Reports a use that is an error where nothing can be thrown.
  ///
  /// - Returns: false without a store.
  func reportMisuse(_ error: FiefError) -> Bool { false }

  /// Reports a stored value that the type of its property does not have.
  func reportUnknown(_ table: Table, _ property: PropertyDescriptor?) {}
}

/// The objects that are saved together, as the encoding of one of them sees them; a save has the one subclass,
/// ``ObjectGraph``.
package class EncodedGraph: ValueDestination {
  /// How many embedded objects may be inside of each other. Encoding and checking them recurses, and has
  /// to fit the smallest stack of a thread.
  package static let deepestEmbedding = 128

  /// The property that is being encoded.
  final var property: PropertyDescriptor?

  /// Appends the object of a value of any type as an ``ObjectReference``, after its kind; the object is written as well
  /// where it is new or changed. Nothing is appended for one that was deleted while the value was held.
  func appendObject(_ object: Object, to writer: inout ValueWriter) throws {}

  /// Called where the links of a property are copied from the record of the object.
  func noteCopiedLinks() {}
}

extension ValueWriter {
  /// The save that the values are written for.
  // SAFETY: a destination is an ``EncodedGraph``, of which there is one subclass.
  @inline(__always)
  var encodedGraph: EncodedGraph? { unsafeBitCast(destination, to: EncodedGraph?.self) }
}
