/// The bindings of the classes with which a store was opened.
///
/// Each read of an object looks up a binding. In an open-addressed table of addresses, a lookup takes two
/// loads; hashing in a dictionary would take longer than LMDB's search.
// SAFETY: only `init` writes the slots, which live as long as the table.
final class BindingTable: @unchecked Sendable {
  private struct Slot {
    var type: ObjectIdentifier?
    var binding: Unmanaged<LazyBinding>?
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int

  init(_ bindings: [LazyBinding]) {
    // At least half of the slots stay empty, so every search ends.
    var capacity = 4
    while capacity < bindings.count * 2 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    for binding in bindings {
      let type = ObjectIdentifier(binding.descriptor.type)
      var index = Self.start(type) & mask
      while let other = slots[index].type, other != type { index = (index + 1) & mask }
      slots[index].binding?.release()
      slots[index] = Slot(type: type, binding: .passRetained(binding))
    }
  }

  deinit {
    for index in 0...mask { slots[index].binding?.release() }
    slots.deallocate()
  }

  /// The binding of a class, or nil if the store was not opened with the class. The table keeps the binding
  /// alive.
  @inline(__always)
  subscript(type: ObjectIdentifier) -> Unmanaged<ObjectBinding>? {
    var index = Self.start(type) & mask
    while let found = slots[index].type {
      if found == type { return slots[index].binding?._withUnsafeGuaranteedRef { $0.binding } }
      index = (index &+ 1) & mask
    }
    return nil
  }

  /// Returns the descriptor of the class with a type's name, by searching all slots.
  func descriptor(named name: String) -> ObjectDescriptor? {
    for index in 0...mask {
      if let found = slots[index].binding?.takeUnretainedValue(), found.descriptor.name == name {
        return found.descriptor
      }
    }
    return nil
  }

  /// Class metadata is aligned, so the low bits of its address carry no information.
  @inline(__always)
  private static func start(_ type: ObjectIdentifier) -> Int {
    Int(truncatingIfNeeded: (UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15) &>> 40)
  }
}
