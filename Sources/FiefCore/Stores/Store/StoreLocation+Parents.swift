import Foundation

extension StoreLocation {
  /// Calls a closure with a path whose parent directories exist; those that are missing are made for the user alone.
  ///
  /// - Parameters:
  ///   - path: of something that is to be made; slashes at its end do not count.
  ///   - body: gets the path without them.
  /// - Throws: ``FiefError`` of code `cannotOpen` where a parent cannot be made; what the closure throws. The parents that
  ///   were made are removed then, unless something else has got into them.
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
