import LMDB

/// The objects that copies made by `init(value:)` link because their originals had read these links.
///
/// Such a link counts as read: if its object was deleted since, the saved copy has nil there. A link that the
/// application assigned fails the save instead. The links are kept outside the objects, like
/// ``ConversionErrors``.
enum CopiedLinks {
  // SAFETY: the object is only compared by its identity, and a weak reference can be read on any thread.
  /// A link, which must not keep its object alive: the object may hold the copy.
  private struct Link: @unchecked Sendable {
    weak var object: ObjectBase?
  }

  /// The links of each copy by the offset of their property.
  private static let links = OwnedLock<[ObjectIdentifier: [Int: [ObjectIdentifier: Link]]]>([:])

  /// Keeps the read links of a copy's property until the copy is deallocated.
  static func note(_ objects: [ObjectBase], of copy: ObjectBase, _ property: PropertyDescriptor) {
    if objects.isEmpty { return }
    copy._hasNotes = true
    // This makes the object's `deinit` remove the links.
    copy._holdsObjects = true
    let read = objects.map { (ObjectIdentifier($0), Link(object: $0)) }
    links.withLock { $0[ObjectIdentifier(copy), default: [:]][property.offset] = Dictionary(read) { $1 } }
  }

  /// Whether a property of a copy links an object because its original had read the link.
  static func contains(_ object: ObjectBase, of copy: ObjectBase, _ property: PropertyDescriptor) -> Bool {
    guard copy._hasNotes else { return false }
    return links.withLock {
      $0[ObjectIdentifier(copy)]?[property.offset]?[ObjectIdentifier(object)]?.object === object
    }
  }

  /// Returns the objects that a property of a copy links because its original had read the links.
  static func objects(of copy: ObjectBase, _ property: PropertyDescriptor) -> [ObjectBase] {
    guard copy._hasNotes else { return [] }
    return links.withLock { $0[ObjectIdentifier(copy)]?[property.offset] ?? [:] }.values.compactMap(\.object)
  }

  /// Removes the links of a copy that is being deallocated.
  static func forget(_ copy: ObjectBase) {
    guard copy._hasNotes else { return }
    _ = links.withLock { $0.removeValue(forKey: ObjectIdentifier(copy)) }
  }
}

/// A collection that distinguishes the links that were read with it from links that were added later.
protocol ReadLinksCollection {
  /// The objects of a collection of links that are not in the record from which it was read.
  var linksInMemory: [ObjectBase] { get }
  /// Appends the objects of the links that were read with the collection.
  func appendReadObjects(to objects: inout [ObjectBase])
}
