/// The assigned properties of an object.
struct AssignedProperties {
  private var bits: UInt64 = 0
  /// The indices of assigned properties after the 64th.
  private var others: [Int32] = []

  fileprivate init(bits: UInt64, others: [Int32]) {
    self.bits = bits
    self.others = others
  }

  init(of object: ObjectBase, _ descriptor: ObjectDescriptor) {
    self = object.assigned(descriptor, clearing: false)
  }

  func mark(_ object: ObjectBase) {
    if bits == 0, others.isEmpty { return }
    for (index, property) in object.descriptor.properties.enumerated()
    where index < 64 ? bits & (1 << UInt64(index)) != 0 : others.contains(Int32(truncatingIfNeeded: index)) {
      object.markAssigned(property)
    }
  }
}

extension ObjectBase {
  /// Returns the assigned properties, and unmarks them.
  func takeAssigned(_ descriptor: ObjectDescriptor) -> AssignedProperties {
    assigned(descriptor, clearing: true)
  }

  fileprivate func assigned(_ descriptor: ObjectDescriptor, clearing: Bool) -> AssignedProperties {
    var bits: UInt64 = 0
    var others: [Int32] = []
    withFields { base in
      for (index, offset) in descriptor.flagsOffsets.enumerated() {
        let flags = base.load(fromByteOffset: Int(offset), as: UInt8.self)
        guard flags & PersistedFlags.assigned != 0 else { continue }
        if index < 64 {
          bits |= 1 << UInt64(truncatingIfNeeded: index)
        } else {
          others.append(Int32(truncatingIfNeeded: index))
        }
        guard clearing else { continue }
        base.storeBytes(of: flags & ~PersistedFlags.assigned, toByteOffset: Int(offset), as: UInt8.self)
      }
    }
    return AssignedProperties(bits: bits, others: others)
  }
}
