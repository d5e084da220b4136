/// The stored properties of a class and of its superclasses, as the runtime's reflection describes them.
///
/// The functions below are exported by the runtime of every system. The standard library's `_forEachField`, which calls them, is left out of
/// Apple's SDK.
enum ReflectedFields {
  /// Calls a closure with the name, the place in bytes and the type of each stored property, until it returns false.
  ///
  /// - Returns: whether the closure has returned true for all properties.
  @discardableResult
  static func forEach(
    of type: AnyClass,
    _ body: (_ name: UnsafePointer<CChar>, _ offset: Int, _ type: Any.Type) -> Bool
  ) -> Bool {
    for index in 0..<recursiveCount(type) {
      var description = FieldDescription()
      let fieldType = recursiveChildMetadata(type, index: index, fieldMetadata: &description)
      // SAFETY: the runtime has made the name, and says how it is freed.
      defer { description.free?(description.name) }
      let offset = recursiveChildOffset(type, index: index)
      let goesOn =
        if let name = description.name {
          body(name, offset, fieldType)
        } else {
          // Types that were compiled without names of properties.
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
