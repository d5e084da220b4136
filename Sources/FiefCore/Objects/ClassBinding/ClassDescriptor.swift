#if !canImport(ObjectiveC)
  import CFiefRuntime

  /// The compiler's description of a class: the beginning of `TargetClassDescriptor` in the Swift runtime's
  /// `Metadata.h`.
  // SAFETY: descriptors and the values to which they refer are constants of an image, which is never
  // unloaded. Their layout has been stable since Swift 5. An address is used as a descriptor only if a type
  // record, a superclass reference or a class's metadata identifies it as one.
  struct ClassDescriptor {
    let address: UnsafeRawPointer

    private static let nameOffset = 8
    private static let accessorOffset = 12
    private static let fieldsOffset = 16
    private static let superclassOffset = 20
    private static let fieldCountOffset = 36
    /// The offset of the descriptor. Kind and superclass are followed by 24 bytes: flags, address point,
    /// instance size and alignment, class size and address point.
    private static let offsetInMetadata = 2 * MemoryLayout<UnsafeRawPointer>.size + 24

    /// Returns `nil` if the type is not a class.
    init?(_ address: UnsafeRawPointer) {
      self.address = address
      guard flags & 0x1F == 16 else { return nil }
    }

    init?(of type: AnyClass) {
      guard let address = Self.address(of: type) else { return nil }
      self.init(address)
      // Fails if a future runtime moves the descriptor.
      guard isGeneric || self.type == type else { return nil }
    }

    /// Returns the address of a class's descriptor.
    static func address(of type: AnyClass) -> UnsafeRawPointer? {
      // SAFETY: without an Objective-C runtime, a class reference is the address of its metadata, which has
      // its descriptor at this offset.
      unsafeBitCast(type, to: UnsafeRawPointer.self)
        .loadUnaligned(fromByteOffset: offsetInMetadata, as: UnsafeRawPointer?.self)
    }

    private var flags: UInt32 { address.loadUnaligned(as: UInt32.self) }
    var isGeneric: Bool { flags & 0x80 != 0 }

    /// The class, initialized for use, or `nil` for a generic class.
    var type: AnyClass? {
      guard !isGeneric, let accessor = Self.resolve(address + Self.accessorOffset),
        let metadata = fief_complete_metadata(accessor)
      else { return nil }
      // SAFETY: the accessor of a class descriptor returns the metadata of this class.
      return unsafeBitCast(metadata, to: AnyClass.self)
    }

    /// The name without module and outer types, or `nil` for a generic class, whose name includes its
    /// arguments.
    var name: String? {
      guard !isGeneric, let name = Self.resolve(address + Self.nameOffset) else { return nil }
      return String(cString: name.assumingMemoryBound(to: CChar.self))
    }

    /// The descriptor of the superclass, or `nil` if the class has no superclass.
    ///
    /// The superclass is stored as a mangled name. The name begins with a reference to a descriptor, followed
    /// by the arguments if the superclass is generic.
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

    /// Whether the class has stored properties that the image does not describe.
    var hidesFields: Bool { fieldCount > 0 && fieldRecords == nil }

    /// The number of stored properties that the class itself declares.
    var fieldCount: Int { Int(address.loadUnaligned(fromByteOffset: Self.fieldCountOffset, as: UInt32.self)) }

    /// The address of the description of these properties, or `nil` if the image does not have it.
    var fieldRecords: UnsafeRawPointer? { Self.resolve(address + Self.fieldsOffset) }

    /// Returns the target of a 32-bit relative address, or `nil` if the distance is zero.
    static func resolve(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
      let distance = field.loadUnaligned(as: Int32.self)
      return distance == 0 ? nil : field + Int(distance)
    }
  }
#endif
