/// A change of an object or a collection in memory, with the state that a rollback restores.
enum UndoneChange {
  /// The object was added or deleted.
  case identity(IdentityRecord)
  /// The write uses a row id that it or a waiting save has assigned to the object. It must precede the
  /// `identity` of the object.
  case rowIDUse
  /// The deleted object is stored again.
  case revival
  /// The object got another stamp.
  case stamp(UInt)
  /// The object got another record.
  case record(RecordCopy)
  /// The object dropped a default value, because it was encoded as a change of a stored object.
  case defaultValue(FieldValue)
  /// The embedded object dropped a link to a deleted object.
  case link(FieldValue, isUnread: Bool)
  /// The collection of an embedded object dropped links to deleted objects.
  case elements(OwnedCollection, countAfterwards: Int)
  /// The collection, whose object was released, belongs to an object of the write.
  case contents(OwnedCollection)
  /// The object has joined the write, or a failed write has changed it.
  case joining(UndoRecord)
  /// A later entry has replaced this one.
  case void

  var isVoid: Bool {
    if case .void = self { true } else { false }
  }

  /// Whether a failed step of a write undoes the change, although the write goes on.
  var isOfStep: Bool {
    switch self {
    case .revival, .record, .defaultValue: true
    default: false
    }
  }

  /// The offset of the values of an object.
  static let offsetOfState = -2

  /// The offset of a change that needs at most one entry; see ``UndoLog``.
  var offset: Int? {
    switch self {
    case .joining: Self.offsetOfState
    case .record: -1
    case .link(let value, _): value.property.offset
    case .elements: 0
    default: nil
    }
  }

  /// Restores the former state.
  ///
  /// - Parameter holder: the object or collection.
  func undo(_ holder: AnyObject) {
    switch self {
    case .joining(let state): return state.restore()
    case .contents(let saved): (holder as? OwnedCollection)?.restore(saved)
    case .elements(let saved, let count):
      // Elements that were assigned after the deletion stay.
      guard let collection = holder as? OwnedCollection & LinkCollection, collection.count == count,
        !collection.isAssigned
      else { return }
      collection.restore(saved)
    default: if let object = holder as? ObjectBase { undo(object) }
    }
  }

  private func undo(_ object: ObjectBase) {
    switch self {
    case .identity(let former): former.restore(object)
    case .rowIDUse: ProvisionalRowIDs.takeBack(object)
    case .revival: object._wasDeleted = true
    case .stamp(let stamp): object._stamp = stamp
    case .record(let record): object._record = record
    case .defaultValue(let value):
      if object.isAssigned(value.property) { return }
      object.stopDeferring(at: value.property.offset)
      value.restore(object, withFlags: false)
    case .link(let value, _):
      // A link that was assigned after the deletion stays.
      if object.valueInMemory(of: value.property)._isNil, !object.isAssigned(value.property) {
        value.restore(object, withFlags: true)
      }
    default: break
    }
  }
}

/// The former value of a property, with its flags.
final class FieldValue {
  let property: PropertyDescriptor
  private let value: any Persistable
  private let flags: UInt8

  init(_ value: any Persistable, of property: PropertyDescriptor, in object: ObjectBase) {
    self.property = property
    self.value = value
    flags = object.flags(of: property)
  }

  fileprivate func restore(_ object: ObjectBase, withFlags: Bool) {
    object.withFields { base in
      property.field.restore(value, base + property.offset)
      if withFlags { base.storeBytes(of: flags, toByteOffset: property.flagsOffset, as: UInt8.self) }
    }
  }
}

/// The identity that an object had before a write added or deleted it.
struct IdentityRecord {
  private let context: ObjectContext?
  private let rowID: Int64
  private let assigned: AssignedProperties
  private let rowIDUses: UInt32
  private let wasDeleted: Bool
  /// Whether the object had neither a stamp nor a record.
  private let isUnstamped: Bool

  init(_ object: ObjectBase, _ descriptor: ObjectDescriptor) {
    context = object._context
    rowID = object._rowID
    assigned = AssignedProperties(of: object, descriptor)
    rowIDUses = object._rowIDUses
    wasDeleted = object._wasDeleted
    isUnstamped = object._source == 0
  }

  func restore(_ object: ObjectBase) {
    object._context = context
    if object._rowID != rowID {
      // The object was deleted.
      object._rowID = rowID
      object._rowIDUses = rowIDUses
    }
    object._wasDeleted = wasDeleted
    // A deletion may have given the object the record of the write.
    if isUnstamped { object._stamp = 0 }
    assigned.mark(object)
  }
}

extension OwnedCollection {
  /// Whether the collection has unsaved changes.
  fileprivate var isAssigned: Bool {
    guard let owner, let property = owner.descriptor.property(at: offset) else { return false }
    return owner.isAssigned(property)
  }
}
