#if !canImport(ObjectiveC)
  /// The name of a type as the compiler writes it into an image, read from its start.
  ///
  /// A name is text that contains references to type descriptors. A reference is a byte from 1 to 23,
  /// followed by a 32-bit distance. A zero byte ends the name.
  // SAFETY: only field records create instances, and nothing is read after the zero byte.
  struct MangledTypeName {
    private let start: UnsafeRawPointer
    private var next: UnsafeRawPointer

    init(start: UnsafeRawPointer) {
      self.start = start
      next = start
    }

    private var byte: UInt8 { next.load(as: UInt8.self) }

    /// Whether the whole name has been read.
    var isAtEnd: Bool { byte == 0 }

    /// Whether text comes next, rather than a reference.
    var isText: Bool { byte > 0x1F }

    /// Skips a text of one or two characters if it comes next.
    mutating func skip(_ text: StaticString) -> Bool {
      var position = next
      // SAFETY: an ASCII literal has a pointer. The zero at the end of the name ends the comparison.
      for index in 0..<text.utf8CodeUnitCount {
        guard position.load(as: UInt8.self) == text.utf8Start[index] else { return false }
        position += 1
      }
      next = position
      return true
    }

    /// Reads a reference to a descriptor, or returns `nil` without skipping anything if something else comes
    /// next.
    mutating func descriptor() -> UnsafeRawPointer? {
      let kind = byte
      guard kind == 1 || kind == 2, let target = ClassDescriptor.resolve(next + 1) else { return nil }
      guard let address = kind == 1 ? target : target.loadUnaligned(as: UnsafeRawPointer?.self) else {
        return nil
      }
      next += 5
      return address
    }

    /// Returns the type that the runtime finds for the name.
    func resolved(in context: ClassDescriptor) -> Any.Type? {
      var end = start
      while true {
        switch end.load(as: UInt8.self) {
        case 0:
          return _getTypeByMangledNameInContext(
            start.assumingMemoryBound(to: UInt8.self),
            UInt(end - start),
            genericContext: context.address,
            genericArguments: nil
          )
        case 0x01...0x17: end += 5
        case 0x18...0x1F: end += 1 + MemoryLayout<UnsafeRawPointer>.size
        default: end += 1
        }
      }
    }
  }
#endif
