#if !canImport(ObjectiveC)
  import CFiefRuntime

  /// The types in which a class is nested.
  enum EnclosingTypes {
    /// Whether a class is nested in a ``MigrationStep``.
    static func areMigrationSteps(_ type: ObjectBase.Type) -> Bool {
      guard var context = ClassDescriptor.address(of: type) else { return false }
      while let outer = parent(of: context) {
        if self.type(of: outer) is any MigrationStep.Type { return true }
        context = outer
      }
      return false
    }

    // SAFETY: context descriptors are constants of an image, which is never unloaded. Each begins with its
    // flags and the relative address of its parent. Descriptors of nominal types continue with name and
    // accessor, as in `ClassDescriptor`.
    private static func parent(of context: UnsafeRawPointer) -> UnsafeRawPointer? {
      let field = context + 4
      let distance = field.loadUnaligned(as: Int32.self)
      if distance == 0 { return nil }
      let target = field + Int(distance & ~1)
      return distance & 1 == 0 ? target : target.loadUnaligned(as: UnsafeRawPointer?.self)
    }

    /// Returns the type of a descriptor, or `nil` for a module, an extension, a function or a generic type.
    private static func type(of context: UnsafeRawPointer) -> Any.Type? {
      let flags = context.loadUnaligned(as: UInt32.self)
      // The values 16 to 18 are classes, structures and enumerations.
      guard (16...18).contains(flags & 0x1F), flags & 0x80 == 0,
        let accessor = ClassDescriptor.resolve(context + 12),
        let metadata = fief_complete_metadata(accessor)
      else { return nil }
      // SAFETY: the accessor of a nominal type returns its metadata.
      return unsafeBitCast(metadata, to: Any.Type.self)
    }
  }
#else
  /// A replacement for runtimes that do not expose the types in which a class is nested.
  enum EnclosingTypes {
    /// Always false, because the enclosing types are unknown. Exclude such classes with
    /// `shouldIncludeInDefaultSchema()`.
    static func areMigrationSteps(_ type: ObjectBase.Type) -> Bool { false }
  }
#endif
