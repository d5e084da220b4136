/// One element of a collection of links: the key of its object, or the object where that was read or given.
struct LinkSlot {
  var object: ObjectBase?
  /// The offset of the element in the collection's bytes; the count is less than 0 for one that has none.
  private let start: Int
  let count: Int32
  /// Whether the object was looked up: where there is none then, it is gone, or the element is nil.
  private(set) var isResolved: Bool
  /// Whether there was none in a write, in which there may be one later.
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

  /// Whether an element can be made of it.
  var isKnown: Bool { isResolved || isMissing }

  /// Takes the object that was found for the key, unless it has one.
  ///
  /// - Parameter isFinal: whether the key is not looked up again where nothing was found.
  mutating func resolve(_ object: ObjectBase?, isFinal: Bool) {
    guard !isResolved else { return }
    self.object = object
    isResolved = object != nil || isFinal
    isMissing = !isResolved
  }

  /// Forgets that nothing was found.
  mutating func startAgain() { isMissing = false }

  /// Forgets the object; the next read looks it up again.
  ///
  /// - Returns: false for an element that has no key here, which stays.
  mutating func makeUnread() -> Bool {
    guard count >= 0 else { return false }
    object = nil
    isResolved = false
    isMissing = false
    return true
  }

  /// The element as ``CollectionPayload/readElement(of:from:)`` gives it.
  func raw(_ buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[start..<(start + Int(count))])
  }

  /// The key of the object; nil for nil.
  func key(_ buffer: UnsafeRawBufferPointer, isOptional: Bool) -> UnsafeRawBufferPointer? {
    guard count >= 0 else { return nil }
    guard isOptional else { return raw(buffer) }
    guard count > 0, buffer[start] != 0 else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[(start + 1)..<(start + Int(count))])
  }
}
