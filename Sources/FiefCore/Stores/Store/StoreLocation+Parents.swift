import Foundation

extension StoreLocation {
  /// Creates the missing parent directories of a path, accessible only to the user, and calls a closure with
  /// the path.
  ///
  /// - Parameters:
  ///   - path: the path of the item to create. Slashes at its end are ignored.
  ///   - body: receives the path without trailing slashes.
  /// - Throws: ``FiefError`` of code `cannotOpen` if a parent cannot be created; any error of the closure. In
  ///   both cases the created parents are removed, unless something else was put into them.
  package static func withParents<Value>(of path: String, _ body: (String) throws -> Value) throws -> Value {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard !path.isEmpty else {
      throw FiefError(.cannotOpen, "The path of a directory is empty or has a zero byte.", path: path)
    }
    var made: [String] = []
    var next = (path as NSString).deletingLastPathComponent
    while !next.isEmpty, next != "/", !FileManager.default.fileExists(atPath: next) {
      made.append(next)
      next = (next as NSString).deletingLastPathComponent
    }
    do {
      if let parent = made.first { try createPrivateDirectory(parent) }
      return try body(path)
    } catch {
      for directory in made { rmdir(directory) }
      throw error
    }
  }
}
