extension ValueConversion {
  /// Casts a value to a type that may be a class.
  ///
  /// On Linux, casting a dictionary or an array to a class first converts all of its contents to Foundation
  /// objects. This takes time for each value and stack space for each level of nesting, even if the cast
  /// fails.
  static func cast<Wanted>(_ value: Any, to wanted: Wanted.Type) -> Wanted? {
    guard isClass(wanted), !(Swift.type(of: value) is AnyClass) else { return value as? Wanted }
    guard let optional = value as? any TracedOptional else { return nil }
    guard let content = optional.wrappedValue else { return value as? Wanted }
    return cast(content, to: wanted)
  }

  private static func isClass(_ type: Any.Type) -> Bool {
    type is AnyClass || (type as? any TracedOptional.Type).map { isClass($0.wrappedType) } ?? false
  }

  /// The maximum number of nested objects that are created from values. Each level takes up to 6 KiB of the
  /// stack in a debug build, and some threads have a stack of 512 KiB.
  private static var deepest: Int { 32 }

  /// Checks the nesting depth. JSON documents have their own limit.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the value is nested in too many objects.
  func checkDepth() throws(FiefError) {
    guard depth > Self.deepest, !isJSON else { return }
    throw error(
      .invalidValue,
      "Objects in the values are nested too deeply.",
      details: [
        "the limit: \(Self.deepest)", "Create the innermost objects first, then link to them.",
      ]
    )
  }
}
