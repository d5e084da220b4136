extension ValueConversion {
  /// Casts a value to a type that may be a class.
  ///
  /// Outside of Apple's systems a plain cast of a dictionary or an array to a class makes Foundation's objects of everything in it, only to
  /// find that they are of another class. It takes time for each value in it, and stack for each level.
  static func cast<Wanted>(_ value: Any, to wanted: Wanted.Type) -> Wanted? {
    guard isClass(wanted), !(Swift.type(of: value) is AnyClass) else { return value as? Wanted }
    guard let optional = value as? any TracedOptional else { return nil }
    guard let content = optional.wrappedValue else { return value as? Wanted }
    return cast(content, to: wanted)
  }

  private static func isClass(_ type: Any.Type) -> Bool {
    type is AnyClass || (type as? any TracedOptional.Type).map { isClass($0.wrappedType) } ?? false
  }

  /// How many objects made of values may be inside of each other. Each takes up to 6 KiB of the stack in a debug build, and
  /// some threads have 512 KiB.
  private static var deepest: Int { 32 }

  /// JSON documents have a limit of their own.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if too many objects are around the value.
  func checkDepth() throws(FiefError) {
    guard depth > Self.deepest, !isJSON else { return }
    throw error(
      .invalidValue,
      "Objects in the values are inside of each other too deeply.",
      details: [
        "the limit: \(Self.deepest)", "Make the innermost objects first, and link to them.",
      ]
    )
  }
}
