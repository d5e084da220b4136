#if !canImport(ObjectiveC)
  import CFiefRuntime

  /// The compiler's description of a class: the head of `TargetClassDescriptor` in the Swift runtime's `Metadata.h`.
  // SAFETY: descriptors and the values that they refer to are constants of an image, which is never unloaded.
  // They have been laid out so since Swift 5; an address becomes a descriptor here only where a type record,
  // a superclass reference or a class's metadata says that it is one.
  struct ClassDescriptor {
    let address: UnsafeRawPointer

    private static let nameOffset = 8
    private static let accessorOffset = 12
    private static let superclassOffset = 20
    /// The offset of the descriptor: behind kind and superclass come flags, address point, instance size and
    /// alignment, class size and address point: 24 bytes.
    private static let offsetInMetadata = 2 * MemoryLayout<UnsafeRawPointer>.size + 24

    /// Nil for a type that is not a class.
    init?(_ address: UnsafeRawPointer) {
      self.address = address
      guard flags & 0x1F == 16 else { return nil }
    }

    init?(of type: AnyClass) {
      guard let address = Self.address(of: type) else { return nil }
      self.init(address)
      // Finds out where the place of the descriptor ever changes.
      guard isGeneric || self.type == type else { return nil }
    }

    /// The address of a class's descriptor.
    static func address(of type: AnyClass) -> UnsafeRawPointer? {
      // SAFETY: where there is no Objective-C runtime, a class is the address of its metadata, which
      // has its descriptor at this offset.
      unsafeBitCast(type, to: UnsafeRawPointer.self)
        .loadUnaligned(fromByteOffset: offsetInMetadata, as: UnsafeRawPointer?.self)
    }

    private var flags: UInt32 { address.loadUnaligned(as: UInt32.self) }
    var isGeneric: Bool { flags & 0x80 != 0 }

    /// The class, made ready for use; nil for a generic one.
    var type: AnyClass? {
      guard !isGeneric, let accessor = Self.resolve(address + Self.accessorOffset),
        let metadata = fief_complete_metadata(accessor)
      else { return nil }
      // SAFETY: the accessor of a class descriptor gives the metadata of that class.
      return unsafeBitCast(metadata, to: AnyClass.self)
    }

    /// The name without module and outer types; nil for a generic class, whose arguments belong to it.
    var name: String? {
      guard !isGeneric, let name = Self.resolve(address + Self.nameOffset) else { return nil }
      return String(cString: name.assumingMemoryBound(to: CChar.self))
    }

    /// The descriptor of the superclass; nil where there is none.
    ///
    /// The superclass stands here as a mangled name. It begins with a reference to a descriptor, also
    /// where arguments of a generic superclass follow.
    var superclass: ClassDescriptor? {
      guard let name = Self.resolve(address + Self.superclassOffset) else { return nil }
      switch name.load(as: UInt8.self) {
      case 1: return Self.resolve(name + 1).flatMap { ClassDescriptor($0) }
      case 2:
        return Self.resolve(name + 1)?.loadUnaligned(as: UnsafeRawPointer?.self)
          .flatMap { ClassDescriptor($0) }
      default: return nil
      }
    }

    /// The target of a 32-bit distance; nil where the distance is zero.
    static func resolve(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
      let distance = field.loadUnaligned(as: Int32.self)
      return distance == 0 ? nil : field + Int(distance)
    }
  }
#endif
