/// The stored properties of a class and of its superclasses, as the runtime's reflection describes them.
///
/// All runtimes export the functions below. The standard library's `_forEachField`, which calls
/// them, is missing in Apple's SDK.
enum ReflectedFields {
  /// Calls a closure with the name, the offset in bytes and the type of each stored property, until it
  /// returns false.
  ///
  /// - Returns: whether the closure returned true for all properties.
  @discardableResult
  static func forEach(
    of type: AnyClass,
    _ body: (_ name: UnsafePointer<CChar>, _ offset: Int, _ type: Any.Type) -> Bool
  ) -> Bool {
    for index in 0..<recursiveCount(type) {
      var description = FieldDescription()
      let fieldType = recursiveChildMetadata(type, index: index, fieldMetadata: &description)
      // SAFETY: the runtime allocated the name, and provides the function that frees it.
      defer { description.free?(description.name) }
      let offset = recursiveChildOffset(type, index: index)
      let goesOn =
        if let name = description.name {
          body(name, offset, fieldType)
        } else {
          // The type was compiled without names of properties.
          withUnsafePointer(to: CChar(0)) { body($0, offset, fieldType) }
        }
      if !goesOn { return false }
    }
    return true
  }
}

/// The runtime's description of a stored property.
private struct FieldDescription {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveChildMetadata(
  _ type: Any.Type,
  index: Int,
  fieldMetadata: UnsafeMutablePointer<FieldDescription>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveChildOffset(_ type: Any.Type, index: Int) -> Int
