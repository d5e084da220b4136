/// The limits of names and paths in trees.
package enum PlaceName {
  /// The maximum length of a name in bytes.
  package static let longest = 768
  /// The maximum number of names of a path.
  package static let most = 32

  /// `true` for each byte that a name must not contain. All of them are ASCII.
  package static let refused: [Bool] = (0...255).map { byte in
    byte < 0x20 || byte == 0x7F || byte < 0x80 && ".$#[]/".utf8.contains(UInt8(truncatingIfNeeded: byte))
  }

  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longest && !name.utf8.contains { refused[Int($0)] }
  }

  /// Returns the names of a path below a place, or `nil` if it has an invalid name or is too deep. Empty parts
  /// are dropped.
  package static func names(ofPath path: String) -> [String]? { names(in: path, dropsEmptyParts: true) }

  /// Returns the names of a path that a rule has computed, or `nil` if the path is invalid.
  ///
  /// Such a path has no empty parts. Otherwise the identifier `ada/` would lead to the place of `ada`, and an
  /// empty one to the place of all users, which exists.
  package static func names(ofComputed path: String) -> [String]? {
    isValid(path) ? [path] : names(in: path, dropsEmptyParts: false)
  }

  /// Returns the names of a path. Data may be the path, so the memory does not depend on its length.
  private static func names(in path: String, dropsEmptyParts: Bool) -> [String]? {
    var names: [String] = []
    var rest = path.utf8[...]
    while true {
      let part = rest.prefix { $0 != UInt8(ascii: "/") }
      if !part.isEmpty || !dropsEmptyParts {
        guard names.count < most, part.count <= longest, let name = String(part), isValid(name) else {
          return nil
        }
        names.append(name)
      }
      if part.endIndex == rest.endIndex { return names }
      rest = rest[part.endIndex...].dropFirst()
    }
  }
}
