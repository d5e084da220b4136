#if !canImport(ObjectiveC)
  /// The stored properties that a class itself declares, read from `FieldDescriptor` and `FieldRecord` in the
  /// Swift runtime's `Metadata.h`.
  // SAFETY: as for the descriptor; the counts in the two descriptors are compared before anything is read.
  extension ClassDescriptor {
    /// One stored property.
    struct Field {
      let name: UnsafePointer<CChar>
      let typeName: MangledTypeName
      /// The offset in an object, in bytes.
      let offset: Int
    }

    private static let fieldsOffset = 16
    private static let fieldCountOffset = 36
    private static let offsetsOffset = 40
    private static let recordsOffset = 16
    private static let recordSize = 12

    /// Whether the offsets of the fields depend on a superclass that another image may have changed.
    private var hasResilientSuperclass: Bool { address.loadUnaligned(as: UInt32.self) & (1 << 29) != 0 }

    /// The stored properties in the order of their declaration.
    struct Fields {
      let count: Int
      fileprivate let descriptor: UnsafeRawPointer
      fileprivate let offsets: UnsafeRawPointer

      subscript(index: Int) -> Field? {
        let record = descriptor + recordsOffset + index * recordSize
        guard let typeName = resolve(record + 4), let name = resolve(record + 8) else { return nil }
        return Field(
          name: name.assumingMemoryBound(to: CChar.self),
          typeName: MangledTypeName(start: typeName),
          offset: offsets.loadUnaligned(fromByteOffset: index * MemoryLayout<Int>.size, as: Int.self)
        )
      }
    }

    /// Returns the stored properties, or `nil` if only the runtime can find them.
    ///
    /// - Parameter type: the class that this descriptor describes.
    func fields(of type: AnyClass) -> Fields? {
      guard !isGeneric, !hasResilientSuperclass else { return nil }
      let count = Int(integer(Self.fieldCountOffset))
      if count == 0 { return Fields(count: 0, descriptor: address, offsets: address) }
      guard let fields = Self.resolve(address + Self.fieldsOffset),
        Int(fields.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) == count,
        Int(fields.loadUnaligned(fromByteOffset: 10, as: UInt16.self)) == Self.recordSize
      else { return nil }
      // SAFETY: a class reference is the address of its metadata, which has the offsets of the fields at this
      // index.
      let offsets =
        unsafeBitCast(type, to: UnsafeRawPointer.self)
        + Int(integer(Self.offsetsOffset)) * MemoryLayout<Int>.size
      return Fields(count: count, descriptor: fields, offsets: offsets)
    }

    /// Whether the class has stored properties that the image does not describe.
    var hidesFields: Bool {
      integer(Self.fieldCountOffset) > 0 && Self.resolve(address + Self.fieldsOffset) == nil
    }

    private func integer(_ offset: Int) -> UInt32 {
      address.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
  }
#endif
