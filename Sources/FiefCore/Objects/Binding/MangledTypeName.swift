#if !canImport(ObjectiveC)
  /// The name of a type as the compiler writes it into an image, read from its start.
  ///
  /// A name is text, with references to the descriptors of types in it: a byte from 1 to 23 and a 32-bit
  /// distance. It ends with a zero.
  // SAFETY: only a field record makes one, and nothing is read behind the zero.
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

    /// Whether text comes next, and no reference.
    var isText: Bool { byte > 0x1F }

    /// Goes on behind a text of one or two characters, if it comes next.
    mutating func skip(_ text: StaticString) -> Bool {
      var position = next
      // SAFETY: a literal in ASCII has a pointer. The zero at the end of the name ends the comparison.
      for index in 0..<text.utf8CodeUnitCount {
        guard position.load(as: UInt8.self) == text.utf8Start[index] else { return false }
        position += 1
      }
      next = position
      return true
    }

    /// The descriptor that is referred to next; nil, and nothing is skipped, where something else follows.
    mutating func descriptor() -> UnsafeRawPointer? {
      let kind = byte
      guard kind == 1 || kind == 2, let target = ClassDescriptor.resolve(next + 1) else { return nil }
      guard let address = kind == 1 ? target : target.loadUnaligned(as: UnsafeRawPointer?.self) else {
        return nil
      }
      next += 5
      return address
    }

    /// The type that the runtime finds under the name.
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
