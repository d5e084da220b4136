extension ValueConversion {
  /// Casts a value to a type that may be a class.
  ///
  /// On Linux, a plain cast of a dictionary or an array to a class first turns all of its contents into Foundation objects. That takes time
  /// for each value and stack for each level of nesting, even though the cast fails.
  static func cast<Wanted>(_ value: Any, to wanted: Wanted.Type) -> Wanted? {
    guard isClass(wanted), !(Swift.type(of: value) is AnyClass) else { return value as? Wanted }
    guard let optional = value as? any TracedOptional else { return nil }
    guard let content = optional.wrappedValue else { return value as? Wanted }
    return cast(content, to: wanted)
  }

  private static func isClass(_ type: Any.Type) -> Bool {
    type is AnyClass || (type as? any TracedOptional.Type).map { isClass($0.wrappedType) } ?? false
  }

  /// The greatest number of nested objects that are made from values. Each level takes up to 6 KiB of the stack in a debug build, and
  /// some threads have a stack of 512 KiB.
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
