#if !canImport(ObjectiveC)
  import CFiefRuntime

  /// The sections of the process's images that contain records of Swift types.
  struct LoadedImages: Equatable, Sendable {
    private struct Section: Equatable {
      var start: UInt
      var byteCount: Int
    }

    /// The versions of an image's registration that `FiefMetadataSections` describes. From any other version
    /// only the version number is read.
    private static let knownVersions: ClosedRange<UInt> = 4...5

    private var sections: [Section] = []
    /// The registration version of an image that is not a known version, or `nil` if all versions are known.
    private(set) var unknownVersion: UInt?

    /// Returns the current images. This takes one to two microseconds.
    static func current() -> LoadedImages {
      var images = LoadedImages()
      withUnsafeMutablePointer(to: &images) { pointer in
        swift_enumerateAllMetadataSections(
          { sections, context in
            // SAFETY: the context is the pointer passed below, and the runtime calls back on this thread.
            context?.assumingMemoryBound(to: LoadedImages.self).pointee.add(sections)
            return true
          },
          pointer
        )
      }
      return images
    }

    private mutating func add(_ sections: UnsafePointer<FiefMetadataSections>) {
      let version = UInt(sections.pointee.version)
      guard Self.knownVersions.contains(version) else {
        unknownVersion = version
        return
      }
      let range = sections.pointee.typeMetadata
      self.sections.append(Section(start: range.start, byteCount: range.length))
    }

    /// Returns `base` and all classes that inherit from it.
    ///
    /// The search follows only descriptors, which are constants of the images. Metadata is requested only for
    /// classes that inherit from `base`, because requesting it may initialize a class.
    func candidates(for base: AnyClass) -> [AnyClass] {
      guard let root = ClassDescriptor(of: base) else { return [] }
      var isBelow: [UnsafeRawPointer: Bool] = [root.address: true]
      var found: [AnyClass] = []
      for section in sections {
        for descriptor in Self.classes(in: section) where Self.isBelow(descriptor, &isBelow) {
          if let type = descriptor.type { found.append(type) }
        }
      }
      return found
    }

    /// Follows the chain of superclasses to the first class for which the result is known, and records the
    /// result for all classes on the way.
    private static func isBelow(
      _ descriptor: ClassDescriptor,
      _ known: inout [UnsafeRawPointer: Bool]
    ) -> Bool {
      var passed: [UnsafeRawPointer] = []
      var current: ClassDescriptor? = descriptor
      var result = false
      while let next = current {
        if let answer = known[next.address] {
          result = answer
          break
        }
        passed.append(next.address)
        known[next.address] = false
        current = next.superclass
      }
      for address in passed { known[address] = result }
      return result
    }

    private static func classes(in section: Section) -> [ClassDescriptor] {
      guard let start = UnsafeRawPointer(bitPattern: section.start) else { return [] }
      return stride(from: 0, to: section.byteCount - 3, by: 4).compactMap { offset in
        // SAFETY: a section is an array of 32-bit references that is valid as long as the image. Images with
        // Swift types are never unloaded.
        let record = start + offset
        let reference = record.loadUnaligned(as: Int32.self)
        let target = record + Int(reference & ~3)
        switch reference & 3 {
        case 0: return ClassDescriptor(target)
        case 1: return target.loadUnaligned(as: UnsafeRawPointer?.self).flatMap { ClassDescriptor($0) }
        default: return nil
        }
      }
    }
  }
#else
  import ObjectiveC

  /// The number of classes that the Objective-C runtime knows.
  struct LoadedImages: Equatable, Sendable {
    private var classCount: Int32 = 0

    /// Always nil: the functions of the Objective-C runtime have no version.
    var unknownVersion: UInt? { nil }

    /// Returns the current images.
    static func current() -> LoadedImages {
      var images = LoadedImages()
      images.classCount = objc_getClassList(nil, 0)
      return images
    }

    /// Returns `base` and all classes that inherit from it, except specializations of generic classes.
    func candidates(for base: AnyClass) -> [AnyClass] {
      var count: UInt32 = 0
      guard let list = objc_copyClassList(&count) else { return [] }
      // SAFETY: the list has `count` classes and belongs to the caller.
      defer { free(UnsafeMutableRawPointer(list)) }
      return (0..<Int(count)).map { list[$0] }.filter { candidate in
        var ancestor: AnyClass? = candidate
        // For classes that do not inherit from `base`, only the superclass is requested.
        while let current = ancestor, current != base { ancestor = class_getSuperclass(current) }
        return ancestor != nil && !String(reflecting: candidate).contains("<")
      }
    }
  }
#endif
