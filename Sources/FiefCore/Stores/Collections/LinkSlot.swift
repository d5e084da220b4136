/// One element of a collection of links: the key of its object, or the object if it was read or inserted.
struct LinkSlot {
  var object: ObjectBase?
  /// The offset and size of the element in the collection's bytes. The size is negative for an inserted
  /// object, which has no bytes.
  private let start: Int
  let count: Int32
  /// Whether the object was looked up. If so and there is no object, the object was deleted or the element is
  /// nil.
  private(set) var isResolved: Bool
  /// Whether the object was looked up in a write and not found. It may be created later in the write.
  private(set) var isMissing = false

  init(_ object: ObjectBase?) {
    self.object = object
    start = 0
    count = -1
    isResolved = true
  }

  init(start: Int, count: Int) {
    object = nil
    self.start = start
    self.count = Int32(truncatingIfNeeded: count)
    isResolved = false
  }

  /// Whether an element can be created from the slot.
  var isKnown: Bool { isResolved || isMissing }

  /// Sets the object that was found for the key, unless the slot has one.
  ///
  /// - Parameter isFinal: whether the key is not looked up again if no object was found.
  mutating func resolve(_ object: ObjectBase?, isFinal: Bool) {
    guard !isResolved else { return }
    self.object = object
    isResolved = object != nil || isFinal
    isMissing = !isResolved
  }

  /// Clears the result of a lookup that found no object.
  mutating func startAgain() { isMissing = false }

  /// Releases the object, so that the next read looks it up again.
  ///
  /// - Returns: false if the element has no key here and therefore stays unchanged.
  mutating func makeUnread() -> Bool {
    guard count >= 0 else { return false }
    object = nil
    isResolved = false
    isMissing = false
    return true
  }

  /// Returns the element in the form of ``CollectionPayload/readElement(of:from:)``.
  func raw(_ buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[start..<(start + Int(count))])
  }

  /// Returns the place of the element with its length, which precedes it; `nil` if the object was read or
  /// inserted, or if the length takes more than one byte.
  @inline(__always)
  func unreadBytes(_ buffer: UnsafeRawBufferPointer) -> Range<Int>? {
    guard object == nil, count >= 0, count < 0x80, start > 0, Int32(buffer[start - 1]) == count else {
      return nil
    }
    return (start - 1)..<(start + Int(count))
  }

  /// Returns the key of the object, or `nil` for nil.
  func key(_ buffer: UnsafeRawBufferPointer, isOptional: Bool) -> UnsafeRawBufferPointer? {
    guard count >= 0 else { return nil }
    guard isOptional else { return raw(buffer) }
    guard count > 0, buffer[start] != 0 else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[(start + 1)..<(start + Int(count))])
  }
}
