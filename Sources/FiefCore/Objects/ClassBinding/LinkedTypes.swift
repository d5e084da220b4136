import LMDB

/// The classes that are linked into the process.
package enum LinkedTypes {
  private struct Cache {
    var images = LoadedImages()
    var subclasses: [ObjectIdentifier: [AnyClass]] = [:]
  }

  private static let cache = OwnedLock(Cache())

  /// Returns all direct and indirect subclasses of a class, sorted by their qualified names.
  ///
  /// The result includes nested, private and local classes, and classes of images that were loaded since the
  /// last call. It does not include generic classes, which have unlimited specializations, but it includes
  /// classes that inherit from one. The result is cached until another image is loaded.
  package static func subclasses(of base: AnyClass) -> [AnyClass] {
    // Called before locking, because the runtime has its own lock around its images.
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

  /// Types with equal names, such as private types of different files, stay in the linker's order.
  private static func sorted(_ types: [AnyClass]) -> [AnyClass] {
    types.enumerated().map { (name: qualifiedName($1), index: $0, type: $1) }
      .sorted { ($0.name, $0.index) < ($1.name, $1.index) }
      .map(\.type)
  }

  /// Returns the name with its module and outer types, but without the address that identifies the file of a
  /// private type, because the address differs in each run.
  private static func qualifiedName(_ type: AnyClass) -> String {
    String(reflecting: type)
      .replacing("(unknown context at ", with: "\u{0}")
      .split(separator: ".")
      .filter { !$0.hasPrefix("\u{0}") }
      .joined(separator: ".")
  }
}
