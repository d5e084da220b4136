import LMDB

/// The objects that copies made by `init(value:)` link because their originals had read these links.
///
/// Such a link counts as read: if its object was deleted since, the saved copy has nil there. A link that the
/// application assigned fails the save instead. The links are kept outside the objects, like
/// ``ConversionErrors``.
enum CopiedLinks {
  /// The links of each copy by the offset of their property.
  private static let links = OwnedLock<[ObjectIdentifier: [Int: WeakObjects]]>([:])

  /// Keeps the read links of a copy's property until the copy is deallocated. The links must not keep their
  /// objects alive: an object may hold the copy.
  static func note(_ objects: [ObjectBase], of copy: ObjectBase, _ property: PropertyDescriptor) {
    if objects.isEmpty { return }
    copy._hasNotes = true
    // This makes the object's `deinit` remove the links.
    copy._holdsObjects = true
    let read = WeakObjects(objects)
    links.withLock { $0[ObjectIdentifier(copy), default: [:]][property.offset] = read }
  }

  /// Called when the application assigns objects to a property of an object, or puts them into a collection.
  ///
  /// - Parameter offset: the offset of the property, or nil if it is unknown. The links that other properties
  ///   of a copy have to the objects then count as assigned, too.
  static func noteAssignment(of objects: [ObjectBase], to copy: ObjectBase, at offset: Int? = nil) {
    if objects.isEmpty || !copy._hasNotes { return }
    links.withLock { links in
      guard var all = links.removeValue(forKey: ObjectIdentifier(copy)) else { return }
      // The keys are an array, because a loop over `all` would make each removal copy the links.
      for place in Array(all.keys) where offset == nil || offset == place {
        for object in objects { all[place]?.remove(object) }
      }
      links[ObjectIdentifier(copy)] = all
    }
  }

  /// Whether a property of a copy links an object because its original had read the link.
  static func contains(_ object: ObjectBase, of copy: ObjectBase, _ property: PropertyDescriptor) -> Bool {
    guard copy._hasNotes else { return false }
    return links.withLock { $0[ObjectIdentifier(copy)]?[property.offset]?.contains(object) ?? false }
  }

  /// Returns the objects that a property of a copy links because its original had read the links.
  static func objects(of copy: ObjectBase, _ property: PropertyDescriptor) -> [ObjectBase] {
    guard copy._hasNotes else { return [] }
    return links.withLock { $0[ObjectIdentifier(copy)]?[property.offset] }?.all ?? []
  }

  /// Removes the links of a copy that is being deallocated.
  static func forget(_ copy: ObjectBase) {
    guard copy._hasNotes else { return }
    _ = links.withLock { $0.removeValue(forKey: ObjectIdentifier(copy)) }
  }
}

/// A collection that distinguishes the links that were read with it from links that were added later.
protocol ReadLinksCollection {
  /// Whether the elements are links, rather than values that may contain objects.
  static var areLinks: Bool { get }
  /// The objects of a collection of links that are not in the record from which it was read.
  var linksInMemory: [ObjectBase] { get }
  /// Appends the objects of the links that were read with the collection.
  func appendReadObjects(to objects: inout [ObjectBase])
}
