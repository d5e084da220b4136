import LMDB

/// The classes that are linked into the process.
package enum LinkedTypes {
  private struct Cache {
    var images = LoadedImages()
    var subclasses: [ObjectIdentifier: [AnyClass]] = [:]
  }

  private static let cache = OwnedLock(Cache())

  /// Every class that inherits from a class, directly or not, sorted by its qualified name.
  ///
  /// Nested, private and local classes are found, and those of images that were loaded since the last
  /// call. Generic classes are not, since there is no end of them; classes that inherit from one are.
  /// The result is remembered until another image is loaded.
  package static func subclasses(of base: AnyClass) -> [AnyClass] {
    // Taken before the lock: the runtime has a lock of its own around its images.
    let images = LoadedImages.current()
    return cache.withLock { cache in
      if cache.images != images { cache = Cache(images: images) }
      if let known = cache.subclasses[ObjectIdentifier(base)] { return known }
      let found = sorted(images.candidates(for: base).filter { $0 != base && inherits($0, from: base) })
      cache.subclasses[ObjectIdentifier(base)] = found
      return found
    }
  }

  private static func inherits(_ type: AnyClass, from base: AnyClass) -> Bool {
    var ancestor: AnyClass? = type
    while let current = ancestor {
      if current == base { return true }
      ancestor = _getSuperclass(current)
    }
    return false
  }

  /// Types whose names are the same, private ones of different files, stay in the linker's order.
  private static func sorted(_ types: [AnyClass]) -> [AnyClass] {
    types.enumerated().map { (name: qualifiedName($1), index: $0, type: $1) }
      .sorted { ($0.name, $0.index) < ($1.name, $1.index) }
      .map(\.type)
  }

  /// The name with its module and outer types, but without the address that stands in it for the file
  /// of a private type: that is another one in each run.
  private static func qualifiedName(_ type: AnyClass) -> String {
    String(reflecting: type)
      .replacing("(unknown context at ", with: "\u{0}")
      .split(separator: ".")
      .filter { !$0.hasPrefix("\u{0}") }
      .joined(separator: ".")
  }
}
